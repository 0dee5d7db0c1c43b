"""The rule ``smallest_unique/disqualified_not_those_at_fault``."""

from __future__ import annotations

import random

from games.table import Match
from tests.audit.contest import Contest
from tests.audit.tournament_factory import hold
from tests.audit.unique_games import NAMES, doctored, failing, fired, tournament
from tests.factories import Player, at_random


@doctored
def _changed() -> Contest:
    logs = tournament()
    out = next(event for event in logs.events if event["type"] == "disqualified")
    out["kind"] = "crash"
    return logs


def _two_at_fault() -> Contest:
    def player(match: Match) -> Player:
        play = at_random(random.Random(match.id), 3)
        return failing("construct", 0, (0, 1), play, 3) if match.id == "1-000000" else play

    return hold("smallest_unique", NAMES, player, seats=3, rounds=1, games_per_entrant=1)


@doctored
def _reversed() -> Contest:
    logs = _two_at_fault()
    logs.events[2:4] = logs.events[3:1:-1]
    return logs


@doctored
def _nobody() -> Contest:
    logs = _two_at_fault()
    del logs.events[2:4]
    return logs


@doctored
def _without_a_fault() -> Contest:
    logs = _two_at_fault()
    last = logs.played[-1]["match"]
    logs.events.insert(-1, logs.events[2] | {"entrant": 6, "match": last})
    return logs


def test_disqualified_not_those_at_fault() -> None:
    """An entrant that was disqualified for another is found."""
    assert fired(_changed) == {"smallest_unique/disqualified_not_those_at_fault"}


def test_disqualified_in_another_order_or_without_a_fault() -> None:
    """The order of the seats is checked, and so are attempts in which only one of both is there."""
    rule = "smallest_unique/disqualified_not_those_at_fault"
    assert fired(_reversed) == {rule}
    assert rule in fired(_nobody)
    assert fired(_without_a_fault) == {rule}
