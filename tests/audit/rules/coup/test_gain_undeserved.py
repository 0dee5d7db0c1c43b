"""The rule ``coup/gain_undeserved``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Tq[_'<=0]\n")
    coins = log.coins(log.turn[-1])
    seat = log.turn[0]["seat"]
    change = [3 * (seat == 0), 3 * (seat == 1)]
    moved = {"type": "coins_moved", "cause": "tax", "change": change}
    moved["coins"] = [coins[0] + change[0], coins[1] + change[1]]
    log.insert(moved, after=log.after(log.turn[-1], "card_lost"))
    return log


def test_gain_undeserved() -> None:
    """A Tax that paid although its claim was false is found."""
    assert fired(_changed) == {"coup/gain_undeserved"}
