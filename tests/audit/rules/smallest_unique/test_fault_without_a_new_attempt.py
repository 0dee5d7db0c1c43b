"""The rule ``smallest_unique/fault_without_a_new_attempt``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    next(e for e in logs.events if e["type"] == "voided")["reason"] = "rain"
    return logs


def test_fault_without_a_new_attempt() -> None:
    """A void for a reason that there is not is found."""
    assert fired(_changed) == {"smallest_unique/fault_without_a_new_attempt"}
