"""The rule ``smallest_unique/disqualified_not_those_at_fault``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_disqualified_not_those_at_fault(tmp_path: Path) -> None:
    """An entrant that was disqualified for another is found."""

    def doctor(logs: Contest) -> None:
        out = next(event for event in logs.events if event["type"] == "disqualified")
        out["kind"] = "crash"

    assert fired(tmp_path, tournament(), doctor) == {
        "smallest_unique/disqualified_not_those_at_fault"
    }
