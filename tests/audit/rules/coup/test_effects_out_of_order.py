"""The rule ``coup/effects_out_of_order``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_effects_out_of_order(tmp_path: Path) -> None:
    """A card lost before the Coup that took it was paid is found."""
    log = turn("C[_'<=0]\n")
    paid = log.after(log.turn[1], "coins_moved")
    log.drop(paid)
    log.insert(paid, after=log.after(log.turn[1], "card_lost"))
    assert fired(tmp_path, log) == {"coup/effects_out_of_order"}
