"""The rule ``coup/coup_paid_unduly``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_coup_paid_unduly(tmp_path: Path) -> None:
    """A Coup that was paid when it was declared is found."""
    log = turn("C[_'<=0]\n")
    paid = log.after(log.turn[1], "coins_moved")
    log.drop(paid)
    log.insert(paid, after=log.turn[0])
    assert fired(tmp_path, log) == {"coup/coup_paid_unduly", "coup/coup_not_paid"}
