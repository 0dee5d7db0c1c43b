"""The rule ``coup/cards_not_conserved``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_cards_not_conserved(tmp_path: Path) -> None:
    """A card that was lost and is still in hand is found."""
    log = turn("C[_'<=0]\n")
    lost = log.after(log.turn[1], "card_lost")
    lost["hand"] += lost["card"]
    assert fired(tmp_path, log) == {"coup/cards_not_conserved"}
