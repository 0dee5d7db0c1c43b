"""The rule ``smallest_unique/recorded_result_impossible``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_recorded_result_impossible(tmp_path: Path) -> None:
    """A winner of a void game is found in the tournament's own log."""

    def doctor(logs: Contest) -> None:
        void = next(game for game in logs.played if game["reason"] == "void")
        void["winners"] = [0]

    assert fired(tmp_path, tournament(), doctor) == {
        "log/result_not_the_match_logs",
        "smallest_unique/recorded_result_impossible",
    }
