"""The rule ``smallest_unique/disqualified_not_those_at_fault``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    out = next(event for event in logs.events if event["type"] == "disqualified")
    out["kind"] = "crash"
    return logs


def test_disqualified_not_those_at_fault() -> None:
    """An entrant that was disqualified for another is found."""
    assert fired(_changed) == {"smallest_unique/disqualified_not_those_at_fault"}
