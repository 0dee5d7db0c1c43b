"""The rule ``coup/coup_without_seven_coins``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_coup_without_seven_coins(tmp_path: Path) -> None:
    """A Coup with 6 coins is found."""
    log = turn("[FETS].*\n", lambda log: log.coins(log.turn[0])[log.turn[0]["seat"]] == 6)
    log.turn[0]["appended"] = "C"
    log.cut(log.turn[0])
    assert fired(tmp_path, log) == {"coup/coup_without_seven_coins"}
