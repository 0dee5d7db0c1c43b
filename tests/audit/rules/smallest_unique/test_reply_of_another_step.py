"""The rule ``smallest_unique/reply_of_another_step``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("update")
    log.after(log.after(log.first("fault"), "fault"), "fault")["ask"] = "select"
    return log


def test_reply_of_another_step() -> None:
    """A fault of a later step than the one that failed is found."""
    assert fired(_changed) == {"smallest_unique/reply_of_another_step"}
