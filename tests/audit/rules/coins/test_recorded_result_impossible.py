"""The rule ``coins/recorded_result_impossible``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, tournament
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = tournament()
    logs.played[0]["winners"] = [0, 1, 2]
    return logs


def test_recorded_result_impossible() -> None:
    """A loser among the winners is found in the tournament's own log."""
    assert fired(_changed) == {
        "coins/recorded_result_impossible",
        "log/result_not_the_match_logs",
    }
