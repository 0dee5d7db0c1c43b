"""The rule ``coup/play_after_forfeit``."""

from __future__ import annotations

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired


@doctored
def _changed() -> Doctored:
    log = failing(Fault("crash"))
    fault = log.first("fault")
    call = {"type": "answered", "seat": 1 - fault["seat"], "ask": "turn", "output": ""}
    log.insert(call | {"appended": "F"}, after=fault)
    return log


@doctored
def _both_failed() -> Doctored:
    log = failing(Fault("crash"))
    fault = log.first("fault")
    log.insert(fault | {"seat": 1 - fault["seat"]}, after=fault)
    return log


def test_play_after_forfeit() -> None:
    """A call after a bot failed is found, also if the other one fails then."""
    assert fired(_changed) == {"coup/play_after_forfeit"}
    assert fired(_both_failed) == {"coup/play_after_forfeit"}
