"""The rule ``coup/draw_not_scored``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    log.first("match_finished")["scores"] = [1, 0]
    return log


def test_draw_not_scored() -> None:
    """Points in a draw are found."""
    assert fired(_changed) == {"coup/draw_not_scored"}
