"""The rule ``coins/acted_out_of_turn``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_acted_out_of_turn(tmp_path: Path) -> None:
    """A turn that another player took is found."""
    log = still()
    turn = log.first("acted")
    for event in (log.before(turn, "answered"), turn):
        event["seat"] = 1 - event["seat"]
    assert fired(tmp_path, log) == {"coins/acted_out_of_turn"}
