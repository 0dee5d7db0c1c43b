"""The rule ``coup/income_undeserved``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_income_undeserved(tmp_path: Path) -> None:
    """A coin of Income that was paid twice is found."""
    log = turn("I\n")
    paid = log.after(log.turn[0], "coins_moved")
    again = log.insert(paid, after=paid)
    again["coins"][log.turn[0]["seat"]] += 1
    assert fired(tmp_path, log) == {"coup/income_undeserved"}
