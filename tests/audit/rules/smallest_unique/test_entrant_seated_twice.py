"""The rule ``smallest_unique/entrant_seated_twice``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    seats = logs.played[-1]["seats"]
    seats[1] = seats[0]
    return logs


def test_entrant_seated_twice() -> None:
    """A game in which an entrant had two seats is found."""
    assert fired(_changed) == {
        "log/players_not_the_entrants",
        "smallest_unique/entrant_seated_twice",
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/seats_not_from_the_dice",
    }
