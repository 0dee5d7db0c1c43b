"""The rule ``smallest_unique/played_on_after_a_fault``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_played_on_after_a_fault(tmp_path: Path) -> None:
    """A game after the one with a fault is found."""

    def doctor(logs: Contest) -> None:
        game = logs.played[2]
        logs.events.remove(game)
        logs.events.insert(1, game)

    assert fired(tmp_path, tournament(), doctor) == {
        "smallest_unique/game_misnumbered",
        "smallest_unique/played_on_after_a_fault",
    }
