"""The rule ``coup/assassination_paid_unduly``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_assassination_paid_unduly(tmp_path: Path) -> None:
    """Coins paid for an Assassination whose claim was false are found."""
    log = turn("Aq[_'<=0]\n")
    coins = log.coins(log.turn[-1])
    seat = log.turn[0]["seat"]
    change = [-3 * (seat == 0), -3 * (seat == 1)]
    moved = {"type": "coins_moved", "cause": "assassination", "change": change}
    moved["coins"] = [coins[0] + change[0], coins[1] + change[1]]
    log.insert(moved, after=log.turn[-1])
    assert fired(tmp_path, log) == {"coup/assassination_paid_unduly"}
