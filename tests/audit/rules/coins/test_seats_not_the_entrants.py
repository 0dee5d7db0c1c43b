"""The rule ``coins/seats_not_the_entrants``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, tournament
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = tournament()
    match = logs.played[0]["match"]
    first, second, _ = logs.matches[match][0]["players"]
    first["name"], second["name"] = second["name"], first["name"]
    logs.played[0]["seats"] = [1, 0, 2]
    logs.seal(match)
    return logs


def test_seats_not_the_entrants() -> None:
    """A game in which two entrants had changed seats is found."""
    assert fired(_changed) == {
        "coins/final_table_not_from_the_matches",
        "coins/seats_not_the_entrants",
    }
