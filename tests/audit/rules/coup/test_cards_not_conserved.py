"""The rule ``coup/cards_not_conserved``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C[_'<=0]\n")
    lost = log.after(log.turn[1], "card_lost")
    lost["hand"] += lost["card"]
    return log


def test_cards_not_conserved() -> None:
    """A card that was lost and is still in hand is found."""
    assert fired(_changed) == {"coup/cards_not_conserved"}
