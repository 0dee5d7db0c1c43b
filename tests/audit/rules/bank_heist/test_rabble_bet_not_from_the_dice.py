"""The rule ``bank_heist/rabble_bet_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, has, heist


@doctored
def _changed() -> Heist:
    log = heist(has("rabble_bets", "1"))
    closed = log.event(type="bets_closed")
    closed["rabble_bets"] = closed["rabble_bets"].replace("1", "0", 1)
    return log


def test_rabble_bet_not_from_the_dice() -> None:
    """A member of the rabble that did not bet, against the dice, is found."""
    assert fired(_changed) == {
        "bank_heist/bets_miscounted",
        "bank_heist/rabble_bet_not_from_the_dice",
        "bank_heist/rabble_credits_miscounted",
        "bank_heist/rabble_fate_without_a_heist",
        "bank_heist/staying_miscounted",
        "bank_heist/sums_not_of_the_crew",
    }
