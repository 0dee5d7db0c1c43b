"""The rule ``bank_heist/all_in_roll_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fare, fared, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(fared("all in", "s"))
    fare(log, "all in", "s", "f")
    return log


def test_all_in_roll_not_from_the_dice() -> None:
    """A failed all-in that the dice do not give is a finding."""
    assert fired(_changed) == {
        "bank_heist/all_in_not_settled",
        "bank_heist/all_in_roll_not_from_the_dice",
    }
