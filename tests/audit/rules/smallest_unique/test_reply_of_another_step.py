"""The rule ``smallest_unique/reply_of_another_step``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("update")
    log.after(log.after(log.first("fault"), "fault"), "fault")["ask"] = "select"
    return log


@doctored
def _answer() -> Doctored:
    log = failed("update")
    log.insert({"type": "answered", "seat": 0, "ask": "update", "output": "1"}, log.events[1])
    return log


def test_reply_of_another_step() -> None:
    """A fault of a later step than the one that failed is found, and an answer to an update."""
    assert fired(_changed) == {"smallest_unique/reply_of_another_step"}
    assert fired(_answer) == {"smallest_unique/reply_of_another_step"}
