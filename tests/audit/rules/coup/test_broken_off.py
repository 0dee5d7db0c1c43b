"""The rule ``coup/broken_off``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    log.events[0]["settings"]["max_calls"] += 1
    log.first("match_finished")["reason"] = "agreed"
    return log


def test_broken_off() -> None:
    """A match that stops for no reason is found."""
    assert fired(_changed) == {"coup/broken_off"}
