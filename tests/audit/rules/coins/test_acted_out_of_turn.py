"""The rule ``coins/acted_out_of_turn``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    turn = log.first("acted")
    for event in (log.before(turn, "answered"), turn):
        event["seat"] = 1 - event["seat"]
    return log


def test_acted_out_of_turn() -> None:
    """A turn that another player took is found."""
    assert fired(_changed) == {"coins/acted_out_of_turn"}
