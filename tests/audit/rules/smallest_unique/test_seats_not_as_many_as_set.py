"""The rule ``smallest_unique/seats_not_as_many_as_set``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    game = logs.played[-1]
    del logs.matches[game["match"]]
    for by_seat in ("seats", "scores"):
        del game[by_seat][-1]
    game["winners"] = [n for n, own in enumerate(game["scores"]) if own == max(game["scores"])]
    return logs


def test_seats_not_as_many_as_set() -> None:
    """A game with a seat less than set is found."""
    assert fired(_changed) == {
        "log/match_without_log",
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/seats_not_as_many_as_set",
        "smallest_unique/seats_not_from_the_dice",
    }
