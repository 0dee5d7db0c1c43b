"""The rule ``smallest_unique/recorded_result_impossible``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    void = next(game for game in logs.played if game["reason"] == "void")
    void["winners"] = [0]
    return logs


def test_recorded_result_impossible() -> None:
    """A winner of a void game is found in the tournament's own log."""
    assert fired(_changed) == {
        "log/result_not_the_match_logs",
        "smallest_unique/recorded_result_impossible",
    }
