"""The rule ``coins/schedule_not_kept``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import tournament
from tests.audit.contest import Contest
from tests.audit.holding import fired


def test_schedule_not_kept(tmp_path: Path) -> None:
    """Two games in the wrong order are found."""

    def doctor(logs: Contest) -> None:
        logs.events[1], logs.events[2] = logs.events[2], logs.events[1]

    assert fired(tmp_path, tournament(), doctor) == {"coins/schedule_not_kept"}
