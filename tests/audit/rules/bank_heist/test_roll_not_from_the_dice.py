"""The rule ``bank_heist/roll_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fare, fared, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(fared("carry on", "f"))
    fare(log, "carry on", "f", "s")
    return log


@doctored
def _unlucky() -> Heist:
    log = heist(fared("carry on", "s"))
    fare(log, "carry on", "s", "f")
    return log


def test_roll_not_from_the_dice() -> None:
    """A success or a failure that the dice do not give is found."""
    assert fired(_changed) == {
        "bank_heist/roll_not_from_the_dice",
        "bank_heist/winnings_not_from_the_odds",
    }
    assert "bank_heist/roll_not_from_the_dice" in fired(_unlucky)
