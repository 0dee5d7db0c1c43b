"""The rule ``coins/turn_order_not_from_the_dice``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_turn_order_not_from_the_dice(tmp_path: Path) -> None:
    """A turn order of one's own is found, although everybody keeps to it."""
    log = still()
    log.first("laid_out")["order"].reverse()
    for event in log.events:
        if "seat" in event:
            event["seat"] = 1 - event["seat"]
    assert fired(tmp_path, log) == {"coins/turn_order_not_from_the_dice"}
