"""The rule ``bank_heist/guards_left_not_from_the_dice``."""

from __future__ import annotations

from games.table import Answer, Ask
from tests import factories
from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="guard_left")
    for what in ("guards", "probability"):
        log.drop(log.event(why="guard_left", what=what))
    return log


def test_guards_left_not_from_the_dice() -> None:
    """A guard that was not paid and stayed is found."""
    assert fired(_changed) == {
        "bank_heist/guards_left_not_from_the_dice",
        "bank_heist/moved_from_another_amount",
    }


def _without_a_job(ask: Ask) -> Answer:
    """Leave the job in the first game, then stake everything and buy a guard."""
    first = ask.args[0] == "0"
    if ask.name == "bet":
        return factories.printed("1" if first else ask.args[8])
    return factories.printed("change jobs" if first else "buy guard")


@doctored
def _sound() -> Heist:
    seed = f"{2:064x}"
    settings = {"games_min": 2, "games_max": 2, "rabble": 0}
    events = factories.match_events(_without_a_job, seed, "bank_heist", 2, **settings)
    left = [event["seat"] for event in events if event.get("why") == "guard_left"]
    assert set(left) == {0, 1}
    return Heist(seed, events)


def test_guards_of_two_players_that_leave_at_once() -> None:
    """The first guards of two players who lost all that they had leave without a finding."""
    assert fired(_sound) == set()
