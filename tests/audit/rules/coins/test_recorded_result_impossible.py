"""The rule ``coins/recorded_result_impossible``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import tournament
from tests.audit.contest import Contest
from tests.audit.holding import fired


def test_recorded_result_impossible(tmp_path: Path) -> None:
    """A loser among the winners is found in the tournament's own log."""

    def doctor(logs: Contest) -> None:
        logs.played[0]["winners"] = [0, 1, 2]

    assert fired(tmp_path, tournament(), doctor) == {
        "coins/recorded_result_impossible",
        "log/result_not_the_match_logs",
    }
