"""The rule ``smallest_unique/replies_out_of_order``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("update")
    fault = log.first("fault")
    log.insert(fault, after=fault)
    return log


@doctored
def _without_a_seat() -> Doctored:
    log = failed("update")
    log.before(log.events[-1], "fault")["seat"] = 4
    return log


def test_replies_out_of_order() -> None:
    """A fault that is on record twice is found, and a fault of a seat that does not exist."""
    assert fired(_changed) == {"smallest_unique/replies_out_of_order"}
    assert fired(_without_a_seat) == {"smallest_unique/replies_out_of_order"}
