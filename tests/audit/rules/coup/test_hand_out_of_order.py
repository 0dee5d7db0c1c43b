"""The rule ``coup/hand_out_of_order``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_hand_out_of_order(tmp_path: Path) -> None:
    """A hand in another order than chosen is found."""
    log = turn("Ep\n", lambda log: len(set(log.turn[2]["output"])) == 2)
    made = log.after(log.turn[2], "cards_exchanged")
    made["hand"] = made["hand"][::-1]
    assert fired(tmp_path, log) == {"coup/hand_out_of_order"}
