"""The rule ``coup/tax_not_three_coins``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_tax_not_three_coins(tmp_path: Path) -> None:
    """A Tax that the opponent was given is found."""
    log = turn("Tp\n")
    moved = log.after(log.turn[-1], "coins_moved")
    before = log.coins(log.turn[-1])
    moved["change"].reverse()
    moved["coins"] = [before[0] + moved["change"][0], before[1] + moved["change"][1]]
    assert fired(tmp_path, log) == {"coup/tax_not_three_coins"}
