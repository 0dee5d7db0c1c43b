"""The rule ``smallest_unique/game_misnumbered``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    logs.events[1], logs.events[2] = logs.events[2], logs.events[1]
    return logs


def test_game_misnumbered() -> None:
    """Two games in the wrong order are found."""
    assert fired(_changed) == {"smallest_unique/game_misnumbered"}
