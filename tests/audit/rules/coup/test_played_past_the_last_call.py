"""The rule ``coup/played_past_the_last_call``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_played_past_the_last_call(tmp_path: Path) -> None:
    """A match with more calls than the settings allow is found."""
    log = turn("I\n")
    log.events[0]["settings"]["max_calls"] -= 1
    assert fired(tmp_path, log) == {"coup/played_past_the_last_call"}
