"""The rule ``smallest_unique/played_on_after_a_fault``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    game = logs.played[2]
    logs.events.remove(game)
    logs.events.insert(1, game)
    return logs


@doctored
def _to_the_next_fault() -> Contest:
    logs = tournament()
    [first, *_, last] = logs.played[:3]
    first.update({field: last[field] for field in ("reason", "winners", "faults")})
    return logs


def test_played_on_after_a_fault() -> None:
    """A game after the one with a fault is found."""
    assert fired(_changed) == {
        "smallest_unique/game_misnumbered",
        "smallest_unique/played_on_after_a_fault",
    }
    assert "smallest_unique/played_on_after_a_fault" in fired(_to_the_next_fault)
