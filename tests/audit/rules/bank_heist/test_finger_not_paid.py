"""The rule ``bank_heist/finger_not_paid``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="finger")
    log.drop(log.event(why="finger"))
    return log


def test_finger_not_paid() -> None:
    """A finger that was not paid for an exposure is found."""
    assert fired(_changed) == {
        "bank_heist/finger_not_paid",
        "bank_heist/moved_from_another_amount",
        "bank_heist/share_of_a_cross_not_paid",
    }
