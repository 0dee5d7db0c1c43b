"""The rule ``coup/assassination_not_three_coins``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_assassination_not_three_coins(tmp_path: Path) -> None:
    """An Assassination for 2 coins is found."""
    log = turn("A[_'<=0]\n")
    moved = log.after(log.turn[1], "coins_moved")
    moved["change"][log.turn[0]["seat"]] += 1
    moved["coins"][log.turn[0]["seat"]] += 1
    assert fired(tmp_path, log) == {"coup/assassination_not_three_coins"}
