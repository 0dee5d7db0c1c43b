"""The rule ``smallest_unique/games_not_as_many_as_set``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    game = logs.played[-1]
    del logs.matches[game["match"]]
    logs.events.remove(game)
    return logs


def test_games_not_as_many_as_set() -> None:
    """A last attempt with a game less than set is found."""
    assert fired(_changed) == {
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/games_not_as_many_as_set",
    }
