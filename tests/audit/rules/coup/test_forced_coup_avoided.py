"""The rule ``coup/forced_coup_avoided``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_forced_coup_avoided(tmp_path: Path) -> None:
    """Another action than a Coup with 10 coins is found."""
    log = turn("C[_'<=0]\n", lambda log: log.coins(log.turn[0])[log.turn[0]["seat"]] >= 10)
    log.turn[0]["appended"] = "T"
    log.cut(log.turn[0])
    assert fired(tmp_path, log) == {"coup/forced_coup_avoided"}
