"""The rule ``bank_heist/share_of_a_failed_cross_not_paid``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, crossed, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(crossed(succeeded=0), why="share")
    log.drop(log.event(why="share"))
    return log


def test_share_of_a_failed_cross_not_paid() -> None:
    """A straight that did not receive what the crossers lost is found."""
    assert fired(_changed) == {
        "bank_heist/moved_from_another_amount",
        "bank_heist/paycheck_not_due",
        "bank_heist/share_of_a_failed_cross_not_paid",
    }
