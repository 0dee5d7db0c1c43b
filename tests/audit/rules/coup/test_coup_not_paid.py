"""The rule ``coup/coup_not_paid``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_coup_not_paid(tmp_path: Path) -> None:
    """A Coup that cost nothing is found."""
    log = turn("C[_'<=0]\n")
    log.drop(log.after(log.turn[1], "coins_moved"))
    assert fired(tmp_path, log) == {"coup/coup_not_paid"}
