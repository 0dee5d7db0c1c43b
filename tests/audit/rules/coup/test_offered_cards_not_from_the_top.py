"""The rule ``coup/offered_cards_not_from_the_top``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_offered_cards_not_from_the_top(tmp_path: Path) -> None:
    """An offer of the second and third card of the deck is found."""
    log = turn("Ep\n", lambda log: len(set(log.deck(log.turn[1])[:3])) == 3)
    offer = log.after(log.turn[1], "cards_offered")
    deck = log.deck(log.turn[1])
    offer["drawn"], offer["deck"] = deck[1:3], deck[0] + deck[3:]
    log.cut(offer)
    assert fired(tmp_path, log) == {
        "coup/offered_cards_not_from_the_top",
        "coup/offer_out_of_place",
    }
