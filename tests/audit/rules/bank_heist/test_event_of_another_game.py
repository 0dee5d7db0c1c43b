"""The rule ``bank_heist/event_of_another_game``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    log.event(type="game_started")["number"] += 1
    return log


@doctored
def _fingered() -> Heist:
    log = heist(type="fingered")
    log.event(type="fingered")["number"] += 1
    return log


def test_event_of_another_game() -> None:
    """A game with the number of the next is found, and a finger of the next game."""
    assert fired(_changed) == {"bank_heist/event_of_another_game"}
    assert fired(_fingered) == {"bank_heist/event_of_another_game"}
