"""The rule ``coup/gain_missing``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_gain_missing(tmp_path: Path) -> None:
    """A Foreign Aid without coins, its block having been found false, is found."""
    log = turn("Fdq[_'<=0]\n")
    log.drop(log.after(log.turn[-1], "coins_moved"))
    assert fired(tmp_path, log) == {"coup/gain_missing"}
