"""The rule ``bank_heist/rabble_backing_out_against_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, has, heist


@doctored
def _changed() -> Heist:
    log = heist(has("rabble_fates", "f"))
    rolled = log.event(type="heist_rolled")
    rolled["rabble_fates"] = rolled["rabble_fates"].replace("f", "o", 1)
    return log


def test_rabble_backing_out_against_the_dice() -> None:
    """A member of the rabble that backed out against the dice is found."""
    assert fired(_changed) == {
        "bank_heist/rabble_backing_out_against_the_dice",
        "bank_heist/rabble_credits_miscounted",
        "bank_heist/staying_miscounted",
        "bank_heist/sums_not_of_the_crew",
    }
