"""The rule ``coup/steal_of_a_wrong_amount``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_steal_of_a_wrong_amount(tmp_path: Path) -> None:
    """A Steal of 2 coins from a player with 1 is found."""
    log = turn("Sp\n", lambda log: log.coins(log.turn[-1])[log.turn[1]["seat"]] > 2)
    moved = log.after(log.turn[-1], "coins_moved")
    thief = log.turn[0]["seat"]
    for field in ("change", "coins"):
        moved[field][thief] += 1
        moved[field][1 - thief] -= 1
    assert fired(tmp_path, log) == {"coup/steal_of_a_wrong_amount"}
