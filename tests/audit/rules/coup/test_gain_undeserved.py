"""The rule ``coup/gain_undeserved``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_gain_undeserved(tmp_path: Path) -> None:
    """A Tax that paid although its claim was false is found."""
    log = turn("Tq[_'<=0]\n")
    coins = log.coins(log.turn[-1])
    seat = log.turn[0]["seat"]
    change = [3 * (seat == 0), 3 * (seat == 1)]
    moved = {"type": "coins_moved", "cause": "tax", "change": change}
    moved["coins"] = [coins[0] + change[0], coins[1] + change[1]]
    log.insert(moved, after=log.after(log.turn[-1], "card_lost"))
    assert fired(tmp_path, log) == {"coup/gain_undeserved"}
