"""The rule ``bank_heist/paycheck_not_due``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="paycheck")
    log.drop(log.event(why="paycheck"))
    return log


def test_paycheck_not_due() -> None:
    """A paycheck that was not paid is found."""
    assert fired(_changed) == {
        "bank_heist/bribe_not_paid",
        "bank_heist/moved_from_another_amount",
        "bank_heist/paycheck_not_due",
    }
