"""The rule ``bank_heist/rabble_roll_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, has, heist


def _faring(fate: str, other: str) -> Heist:
    log = heist(has("rabble_fates", fate))
    rolled = log.event(type="heist_rolled")
    rolled["rabble_fates"] = rolled["rabble_fates"].replace(fate, other, 1)
    return log


@doctored
def _changed() -> Heist:
    return _faring("f", "s")


@doctored
def _unlucky() -> Heist:
    return _faring("s", "f")


def test_rabble_roll_not_from_the_dice() -> None:
    """A success or a failure of the rabble that the dice do not give is found."""
    assert fired(_changed) == {
        "bank_heist/rabble_credits_miscounted",
        "bank_heist/rabble_roll_not_from_the_dice",
        "bank_heist/sums_not_of_the_crew",
    }
    assert "bank_heist/rabble_roll_not_from_the_dice" in fired(_unlucky)
