"""The rule ``smallest_unique/games_not_as_many_as_set``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_games_not_as_many_as_set(tmp_path: Path) -> None:
    """A last attempt with a game less than set is found."""

    def doctor(logs: Contest) -> None:
        game = logs.played[-1]
        del logs.matches[game["match"]]
        logs.events.remove(game)

    assert fired(tmp_path, tournament(), doctor) == {
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/games_not_as_many_as_set",
    }
