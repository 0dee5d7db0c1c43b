"""The rule ``smallest_unique/entrant_seated_twice``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_entrant_seated_twice(tmp_path: Path) -> None:
    """A game in which an entrant had two seats is found."""

    def doctor(logs: Contest) -> None:
        seats = logs.played[-1]["seats"]
        seats[1] = seats[0]

    assert fired(tmp_path, tournament(), doctor) == {
        "log/players_not_the_entrants",
        "smallest_unique/entrant_seated_twice",
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/seats_not_from_the_dice",
    }
