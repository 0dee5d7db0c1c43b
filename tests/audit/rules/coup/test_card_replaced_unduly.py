"""The rule ``coup/card_replaced_unduly``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, reshuffled, turn


@doctored
def _changed() -> Doctored:
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
    return log


def test_card_replaced_unduly() -> None:
    """An Ambassador that was replaced in its own Exchange is found."""
    assert fired(_changed) == {"coup/card_replaced_unduly"}
