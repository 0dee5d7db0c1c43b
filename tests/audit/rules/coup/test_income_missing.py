"""The rule ``coup/income_missing``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_income_missing(tmp_path: Path) -> None:
    """An Income that brought nothing is found."""
    log = turn("I\n")
    log.drop(log.after(log.turn[0], "coins_moved"))
    assert fired(tmp_path, log) == {"coup/income_missing"}
