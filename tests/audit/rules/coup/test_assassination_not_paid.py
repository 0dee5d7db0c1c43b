"""The rule ``coup/assassination_not_paid``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_assassination_not_paid(tmp_path: Path) -> None:
    """An Assassination that cost nothing when a Contessa stopped it is found."""
    log = turn("As\n")
    log.drop(log.after(log.turn[2], "coins_moved"))
    assert fired(tmp_path, log) == {"coup/assassination_not_paid"}
