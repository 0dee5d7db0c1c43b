"""The rule ``bank_heist/interest_not_paid``."""

from __future__ import annotations

import random

from tests import factories
from tests.audit.bank_heists import Heist, anything, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="interest")
    log.event(why="interest")["after"] += 1
    return log


@doctored
def _missing() -> Heist:
    log = heist(why="interest")
    log.drop(log.event(why="interest"))
    return log


@doctored
def _highest_bank() -> Heist:
    seed = f"{1:064x}"
    settings = {"games_min": 3, "games_max": 3, "rabble": 500}
    play = anything(random.Random(1))
    log = Heist(seed, factories.match_events(play, seed, "bank_heist", 8, **settings))
    log.drop(log.event(why="interest", bank=4))
    return log


def test_interest_not_paid() -> None:
    """A credit too much of interest is found."""
    assert fired(_changed) == {"bank_heist/interest_not_paid"}


def test_interest_left_out() -> None:
    """An account without its interest is found, at the highest bank, too."""
    assert "bank_heist/interest_not_paid" in fired(_missing)
    assert fired(_highest_bank) == {"bank_heist/interest_not_paid"}
