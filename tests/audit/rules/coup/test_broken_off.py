"""The rule ``coup/broken_off``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_broken_off(tmp_path: Path) -> None:
    """A match that stops for no reason is found."""
    log = turn("I\n")
    log.events[0]["settings"]["max_calls"] += 1
    log.first("match_finished")["reason"] = "agreed"
    assert fired(tmp_path, log) == {"coup/broken_off"}
