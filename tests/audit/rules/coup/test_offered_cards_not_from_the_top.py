"""The rule ``coup/offered_cards_not_from_the_top``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Ep\n", lambda log: len(set(log.deck(log.turn[1])[:3])) == 3)
    offer = log.after(log.turn[1], "cards_offered")
    deck = log.deck(log.turn[1])
    offer["drawn"], offer["deck"] = deck[1:3], deck[0] + deck[3:]
    log.cut(offer)
    return log


def test_offered_cards_not_from_the_top() -> None:
    """An offer of the second and third card of the deck is found."""
    assert fired(_changed) == {
        "coup/offered_cards_not_from_the_top",
        "coup/offer_out_of_place",
    }
