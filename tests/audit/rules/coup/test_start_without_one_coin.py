"""The rule ``coup/start_without_one_coin``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn(
        "Tq[_'<=0]\n",
        lambda log: len(log.turn) == 3 and log.turn[0]["seat"] == 0 and log.place(log.turn[0]) == 2,
    )
    log.first("dealt")["coins"] = [2, 1]
    return log


def test_start_without_one_coin() -> None:
    """A player that starts with 2 coins is found."""
    assert fired(_changed) == {"coup/start_without_one_coin"}
