"""The rule ``coins/broken_off``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.events[0]["settings"]["rounds"] += 1
    return log


@doctored
def _without_turns() -> Doctored:
    log = busy()
    log.events = [event for event in log.events if event["type"] not in ("answered", "acted")]
    return log


def test_broken_off() -> None:
    """A game that ends a round too early is found, and one without turns."""
    assert fired(_changed) == {"coins/broken_off"}
    assert "coins/broken_off" in fired(_without_turns)
