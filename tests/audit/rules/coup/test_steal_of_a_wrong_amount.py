"""The rule ``coup/steal_of_a_wrong_amount``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Sp\n", lambda log: log.coins(log.turn[-1])[log.turn[1]["seat"]] > 2)
    moved = log.after(log.turn[-1], "coins_moved")
    thief = log.turn[0]["seat"]
    for field in ("change", "coins"):
        moved[field][thief] += 1
        moved[field][1 - thief] -= 1
    return log


def test_steal_of_a_wrong_amount() -> None:
    """A Steal of 2 coins from a player with 1 is found."""
    assert fired(_changed) == {"coup/steal_of_a_wrong_amount"}
