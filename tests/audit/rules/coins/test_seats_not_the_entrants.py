"""The rule ``coins/seats_not_the_entrants``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import tournament
from tests.audit.contest import Contest
from tests.audit.holding import fired


def test_seats_not_the_entrants(tmp_path: Path) -> None:
    """A game in which two entrants had changed seats is found."""

    def doctor(logs: Contest) -> None:
        match = logs.played[0]["match"]
        first, second, _ = logs.matches[match][0]["players"]
        first["name"], second["name"] = second["name"], first["name"]
        logs.played[0]["seats"] = [1, 0, 2]
        logs.seal(match)

    assert fired(tmp_path, tournament(), doctor) == {
        "coins/final_table_not_from_the_matches",
        "coins/seats_not_the_entrants",
    }
