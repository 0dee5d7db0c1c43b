"""The rule ``coup/card_replaced_unduly``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, reshuffled, turn


def test_card_replaced_unduly(tmp_path: Path) -> None:
    """An Ambassador that was replaced in its own Exchange is found."""
    log = turn("Eq~[_'<=0]\n")
    shown = log.turn[2]
    log.cut(shown)
    hand, deck = log.hand(shown, shown["seat"]), log.deck(shown)
    shuffled = reshuffled(log, shown, deck + "~")
    log.insert(
        {
            "type": "card_replaced",
            "seat": shown["seat"],
            "card": "~",
            "drawn": shuffled[0],
            "hand": hand.replace("~", "", 1) + shuffled[0],
            "deck": shuffled[1:],
        },
        after=shown,
    )
    assert fired(tmp_path, log) == {"coup/card_replaced_unduly"}
