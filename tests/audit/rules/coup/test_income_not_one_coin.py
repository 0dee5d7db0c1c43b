"""The rule ``coup/income_not_one_coin``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_income_not_one_coin(tmp_path: Path) -> None:
    """An Income of 2 coins is found."""
    log = turn("I\n")
    moved = log.after(log.turn[0], "coins_moved")
    moved["change"][log.turn[0]["seat"]] += 1
    moved["coins"][log.turn[0]["seat"]] += 1
    assert fired(tmp_path, log) == {"coup/income_not_one_coin"}
