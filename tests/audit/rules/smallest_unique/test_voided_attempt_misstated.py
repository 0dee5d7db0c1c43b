"""The rule ``smallest_unique/voided_attempt_misstated``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_voided_attempt_misstated(tmp_path: Path) -> None:
    """A wrong number of void games is found."""

    def doctor(logs: Contest) -> None:
        next(e for e in logs.events if e["type"] == "voided")["matches"] += 1

    assert fired(tmp_path, tournament(), doctor) == {"smallest_unique/voided_attempt_misstated"}
