"""The rule ``smallest_unique/fault_in_an_impossible_step``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


def _in_step(step: str, failed_step: str) -> Doctored:
    log = failed(failed_step)
    for event in log.events:
        if event["type"] == "fault":
            event["ask"] = step
    return log


@doctored
def _construct() -> Doctored:
    return _in_step("construct", "update")


@doctored
def _update() -> Doctored:
    return _in_step("update", "construct")


@doctored
def _select() -> Doctored:
    log = failed("select")
    log.events[0]["settings"]["rounds"] = 2
    return log


def test_fault_in_an_impossible_step() -> None:
    """A fault in construction after a round, update before, or selection after all is found."""
    for change in (_construct, _update, _select):
        assert fired(change) == {"smallest_unique/fault_in_an_impossible_step"}
