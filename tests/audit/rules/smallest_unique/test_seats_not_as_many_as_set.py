"""The rule ``smallest_unique/seats_not_as_many_as_set``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_seats_not_as_many_as_set(tmp_path: Path) -> None:
    """A game with a seat less than set is found."""

    def doctor(logs: Contest) -> None:
        game = logs.played[-1]
        del logs.matches[game["match"]]
        for by_seat in ("seats", "scores"):
            del game[by_seat][-1]
        game["winners"] = [n for n, own in enumerate(game["scores"]) if own == max(game["scores"])]

    assert fired(tmp_path, tournament(), doctor) == {
        "log/match_without_log",
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/seats_not_as_many_as_set",
        "smallest_unique/seats_not_from_the_dice",
    }
