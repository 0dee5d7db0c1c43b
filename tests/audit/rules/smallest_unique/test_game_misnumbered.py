"""The rule ``smallest_unique/game_misnumbered``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_game_misnumbered(tmp_path: Path) -> None:
    """Two games in the wrong order are found."""

    def doctor(logs: Contest) -> None:
        logs.events[1], logs.events[2] = logs.events[2], logs.events[1]

    assert fired(tmp_path, tournament(), doctor) == {"smallest_unique/game_misnumbered"}
