"""The rule ``smallest_unique/fault_in_an_impossible_step``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("update")
    for event in log.events:
        if event["type"] == "fault":
            event["ask"] = "construct"
    return log


def test_fault_in_an_impossible_step() -> None:
    """A fault in the construction after a round is found."""
    assert fired(_changed) == {"smallest_unique/fault_in_an_impossible_step"}
