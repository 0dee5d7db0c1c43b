"""The rule ``coup/assassination_without_three_coins``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_assassination_without_three_coins(tmp_path: Path) -> None:
    """An Assassination with 2 coins is found."""
    log = turn("[FETS].*\n", lambda log: log.coins(log.turn[0])[log.turn[0]["seat"]] == 2)
    log.turn[0]["appended"] = "A"
    log.cut(log.turn[0])
    assert fired(tmp_path, log) == {"coup/assassination_without_three_coins"}
