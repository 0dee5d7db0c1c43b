"""The rule ``bank_heist/rabble_roll_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, has, heist


@doctored
def _changed() -> Heist:
    log = heist(has("rabble_fates", "f"))
    rolled = log.event(type="heist_rolled")
    rolled["rabble_fates"] = rolled["rabble_fates"].replace("f", "s", 1)
    return log


def test_rabble_roll_not_from_the_dice() -> None:
    """A success of the rabble that the dice do not give is found."""
    assert fired(_changed) == {
        "bank_heist/rabble_credits_miscounted",
        "bank_heist/rabble_roll_not_from_the_dice",
        "bank_heist/sums_not_of_the_crew",
    }
