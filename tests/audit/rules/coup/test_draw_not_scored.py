"""The rule ``coup/draw_not_scored``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_draw_not_scored(tmp_path: Path) -> None:
    """Points in a draw are found."""
    log = turn("I\n")
    log.first("match_finished")["scores"] = [1, 0]
    assert fired(tmp_path, log) == {"coup/draw_not_scored"}
