"""The rule ``coup/forced_coup_avoided``."""

from __future__ import annotations

from functools import partial

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


def _avoided(coins: int) -> Doctored:
    log = turn("C[_'<=0]\n", lambda log: log.coins(log.turn[0])[log.turn[0]["seat"]] == coins)
    log.turn[0]["appended"] = "T"
    log.cut(log.turn[0])
    return log


CHANGED = [doctored(partial(_avoided, coins)) for coins in (10, 11, 12)]


def test_forced_coup_avoided() -> None:
    """Another action than a Coup with 10, 11 or 12 coins is found."""
    assert all(fired(changed) == {"coup/forced_coup_avoided"} for changed in CHANGED)
