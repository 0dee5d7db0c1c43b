"""The rule ``coup/forced_coup_avoided``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C[_'<=0]\n", lambda log: log.coins(log.turn[0])[log.turn[0]["seat"]] == 10)
    log.turn[0]["appended"] = "T"
    log.cut(log.turn[0])
    return log


def test_forced_coup_avoided() -> None:
    """Another action than a Coup with exactly 10 coins is found."""
    assert fired(_changed) == {"coup/forced_coup_avoided"}
