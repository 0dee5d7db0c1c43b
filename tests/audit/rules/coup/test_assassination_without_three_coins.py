"""The rule ``coup/assassination_without_three_coins``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("[FETS].*\n", lambda log: log.coins(log.turn[0])[log.turn[0]["seat"]] == 2)
    log.turn[0]["appended"] = "A"
    log.cut(log.turn[0])
    return log


def test_assassination_without_three_coins() -> None:
    """An Assassination with 2 coins is found."""
    assert fired(_changed) == {"coup/assassination_without_three_coins"}
