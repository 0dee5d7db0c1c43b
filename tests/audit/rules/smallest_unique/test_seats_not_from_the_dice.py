"""The rule ``smallest_unique/seats_not_from_the_dice``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_seats_not_from_the_dice(tmp_path: Path) -> None:
    """A game whose entrants had changed seats is found."""

    def doctor(logs: Contest) -> None:
        match = logs.played[-1]["match"]
        first, second, _ = logs.matches[match][0]["players"]
        first["name"], second["name"] = second["name"], first["name"]
        seats = logs.played[-1]["seats"]
        seats[:2] = reversed(seats[:2])
        logs.seal(match)

    assert fired(tmp_path, tournament(), doctor) == {"smallest_unique/seats_not_from_the_dice"}
