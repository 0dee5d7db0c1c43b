"""The rule ``bank_heist/rabble_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, has, heist


@doctored
def _changed() -> Heist:
    log = heist(has("rabble_bets", "."))
    closed = log.event(type="bets_closed")
    closed["rabble_bets"] = closed["rabble_bets"].replace(".", "0", 1)
    return log


def test_rabble_not_from_the_dice() -> None:
    """A member of the rabble that takes part undrawn is found."""
    assert fired(_changed) == {
        "bank_heist/participants_miscounted",
        "bank_heist/rabble_credits_miscounted",
        "bank_heist/rabble_not_from_the_dice",
    }
