"""The rule ``coup/coup_without_seven_coins``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("[FETS].*\n", lambda log: log.coins(log.turn[0])[log.turn[0]["seat"]] == 6)
    log.turn[0]["appended"] = "C"
    log.cut(log.turn[0])
    return log


def test_coup_without_seven_coins() -> None:
    """A Coup with 6 coins is found."""
    assert fired(_changed) == {"coup/coup_without_seven_coins"}
