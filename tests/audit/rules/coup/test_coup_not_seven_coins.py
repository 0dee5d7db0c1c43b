"""The rule ``coup/coup_not_seven_coins``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_coup_not_seven_coins(tmp_path: Path) -> None:
    """A Coup for 6 coins is found."""
    log = turn("C[_'<=0]\n")
    moved = log.after(log.turn[1], "coins_moved")
    moved["change"][log.turn[0]["seat"]] += 1
    moved["coins"][log.turn[0]["seat"]] += 1
    assert fired(tmp_path, log) == {"coup/coup_not_seven_coins"}
