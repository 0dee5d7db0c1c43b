"""The rule ``coup/played_past_the_last_call``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    log.events[0]["settings"]["max_calls"] -= 1
    return log


def test_played_past_the_last_call() -> None:
    """A match with more calls than the settings allow is found."""
    assert fired(_changed) == {"coup/played_past_the_last_call"}
