"""The rule ``smallest_unique/fault_without_a_new_attempt``."""

from __future__ import annotations

import random

from tests.audit.contest import Contest
from tests.audit.tournament_factory import hold
from tests.audit.unique_games import NAMES, doctored, fired, tournament
from tests.factories import at_random


@doctored
def _changed() -> Contest:
    logs = tournament()
    next(e for e in logs.events if e["type"] == "voided")["reason"] = "rain"
    return logs


@doctored
def _too_few_games() -> Contest:
    logs = tournament()
    next(e for e in logs.events if e["type"] == "voided")["reason"] = "too_few_games"
    return logs


@doctored
def _without_a_fault() -> Contest:
    logs = hold(
        "smallest_unique",
        NAMES,
        lambda match: at_random(random.Random(match.id), 3),
        seats=3,
        rounds=2,
        games_per_entrant=2,
        min_games_per_entrant=5,
    )
    next(e for e in logs.events if e["type"] == "voided")["reason"] = "disqualified"
    return logs


def test_fault_without_a_new_attempt() -> None:
    """A void for a reason that there is not is found, and one for another than the fault."""
    assert fired(_changed) == {"smallest_unique/fault_without_a_new_attempt"}
    assert fired(_too_few_games) == {
        "smallest_unique/fault_without_a_new_attempt",
        "smallest_unique/too_few_games_misjudged",
    }


def test_disqualified_without_a_fault() -> None:
    """A void for a fault that no bot made is found."""
    assert "smallest_unique/fault_without_a_new_attempt" in fired(_without_a_fault)
