"""The rule ``bank_heist/bonus_not_taken_along``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="guard_left", what="probability")
    log.drop(log.event(why="guard_left", what="probability"))
    return log


def test_bonus_not_taken_along() -> None:
    """A guard that left its bonus behind is found."""
    assert fired(_changed) == {
        "bank_heist/bonus_not_taken_along",
        "bank_heist/moved_from_another_amount",
        "bank_heist/settled_out_of_order",
    }
