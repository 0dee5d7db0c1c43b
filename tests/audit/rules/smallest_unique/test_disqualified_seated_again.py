"""The rule ``smallest_unique/disqualified_seated_again``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_disqualified_seated_again(tmp_path: Path) -> None:
    """A game of an entrant that was out is found."""

    def doctor(logs: Contest) -> None:
        game = logs.played[-1]
        game["seats"][0] = 1
        logs.matches[game["match"]][0]["players"][0]["name"] = "Ben"
        logs.seal(game["match"])

    assert fired(tmp_path, tournament(), doctor) == {
        "smallest_unique/disqualified_seated_again",
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/seats_not_from_the_dice",
    }
