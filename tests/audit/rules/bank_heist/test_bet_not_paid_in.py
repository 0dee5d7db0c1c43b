"""The rule ``bank_heist/bet_not_paid_in``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="bet", number=1)
    log.drop(log.event(why="bet"))
    return log


def test_bet_not_paid_in() -> None:
    """A bet that was not paid in is found."""
    assert fired(_changed) == {
        "bank_heist/bet_not_paid_in",
        "bank_heist/moved_from_another_amount",
        "bank_heist/paycheck_not_due",
    }
