"""The rule ``coup/offer_out_of_place``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Ep\n")
    offer = log.after(log.turn[1], "cards_offered")
    again = log.insert(offer, after=offer)
    again["drawn"], again["deck"] = offer["deck"][:2], offer["deck"][2:]
    return log


def test_offer_out_of_place() -> None:
    """An offer that was made twice is found."""
    assert fired(_changed) == {
        "coup/offer_out_of_place",
        "coup/cards_not_conserved",
        "coup/exchange_deck_not_from_the_dice",
        "coup/exchange_not_as_chosen",
    }
