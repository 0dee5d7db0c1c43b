"""The rule ``coup/assassination_paid_unduly``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Aq[_'<=0]\n")
    coins = log.coins(log.turn[-1])
    seat = log.turn[0]["seat"]
    change = [-3 * (seat == 0), -3 * (seat == 1)]
    moved = {"type": "coins_moved", "cause": "assassination", "change": change}
    moved["coins"] = [coins[0] + change[0], coins[1] + change[1]]
    log.insert(moved, after=log.turn[-1])
    return log


def test_assassination_paid_unduly() -> None:
    """Coins paid for an Assassination whose claim was false are found."""
    assert fired(_changed) == {"coup/assassination_paid_unduly"}
