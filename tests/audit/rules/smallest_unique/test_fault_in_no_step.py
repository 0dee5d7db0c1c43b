"""The rule ``smallest_unique/fault_in_no_step``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("construct")
    for event in log.events:
        if event["type"] == "fault":
            event["ask"] = "import"
    return log


def test_fault_in_no_step() -> None:
    """A fault in something that a bot is not asked for is found."""
    assert fired(_changed) == {
        "smallest_unique/fault_in_no_step",
        "smallest_unique/reply_of_another_step",
    }
