"""The rule ``coins/turn_order_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.first("laid_out")["order"].reverse()
    for event in log.events:
        if "seat" in event:
            event["seat"] = 1 - event["seat"]
    return log


def test_turn_order_not_from_the_dice() -> None:
    """A turn order that the dice do not give is a finding, although all turns follow it."""
    assert fired(_changed) == {"coins/turn_order_not_from_the_dice"}
