"""The rule ``bank_heist/fault_of_another_decision``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fault", ask="action", kind="crash")
    log.event(type="fault", ask="action", kind="crash")["kind"] = "illegal"
    return log


def test_fault_of_another_decision() -> None:
    """A fault of an action that is recorded as one of a bet is found."""
    assert fired(_changed) == {"bank_heist/fault_of_another_decision"}
