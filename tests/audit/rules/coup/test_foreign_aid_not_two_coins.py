"""The rule ``coup/foreign_aid_not_two_coins``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_foreign_aid_not_two_coins(tmp_path: Path) -> None:
    """A Foreign Aid of 3 coins is found."""
    log = turn("Fp\n")
    moved = log.after(log.turn[-1], "coins_moved")
    moved["change"][log.turn[0]["seat"]] += 1
    moved["coins"][log.turn[0]["seat"]] += 1
    assert fired(tmp_path, log) == {"coup/foreign_aid_not_two_coins"}
