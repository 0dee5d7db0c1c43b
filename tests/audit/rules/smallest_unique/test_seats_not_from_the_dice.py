"""The rule ``smallest_unique/seats_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    match = logs.played[-1]["match"]
    first, second, _ = logs.matches[match][0]["players"]
    first["name"], second["name"] = second["name"], first["name"]
    seats = logs.played[-1]["seats"]
    seats[:2] = reversed(seats[:2])
    logs.seal(match)
    return logs


def test_seats_not_from_the_dice() -> None:
    """A game whose entrants had changed seats is found."""
    assert fired(_changed) == {"smallest_unique/seats_not_from_the_dice"}
