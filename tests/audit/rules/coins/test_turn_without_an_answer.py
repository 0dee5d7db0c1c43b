"""The rule ``coins/turn_without_an_answer``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.drop(log.first("answered"))
    return log


@doctored
def _of_another() -> Doctored:
    log = still()
    answered = log.first("answered")
    answered["seat"] = 1 - answered["seat"]
    return log


def test_turn_without_an_answer() -> None:
    """A turn before which nobody was asked is found."""
    assert fired(_changed) == {"coins/turn_without_an_answer"}


def test_a_turn_after_the_answer_of_another() -> None:
    """A turn of a player after an answer of another is found."""
    assert fired(_of_another) >= {"coins/turn_without_an_answer"}
