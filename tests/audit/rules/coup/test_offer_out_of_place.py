"""The rule ``coup/offer_out_of_place``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_offer_out_of_place(tmp_path: Path) -> None:
    """An offer that was made twice is found."""
    log = turn("Ep\n")
    offer = log.after(log.turn[1], "cards_offered")
    again = log.insert(offer, after=offer)
    again["drawn"], again["deck"] = offer["deck"][:2], offer["deck"][2:]
    assert fired(tmp_path, log) == {
        "coup/offer_out_of_place",
        "coup/cards_not_conserved",
        "coup/exchange_deck_not_from_the_dice",
        "coup/exchange_not_as_chosen",
    }
