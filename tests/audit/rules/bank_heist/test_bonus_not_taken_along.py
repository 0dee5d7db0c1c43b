"""The rule ``bank_heist/bonus_not_taken_along``."""

from __future__ import annotations

from fractions import Fraction

from games.table import Answer, Ask
from tests import factories
from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="guard_left", what="probability")
    log.drop(log.event(why="guard_left", what="probability"))
    return log


def test_bonus_not_taken_along() -> None:
    """A guard that left its bonus behind is found."""
    assert fired(_changed) == {
        "bank_heist/bonus_not_taken_along",
        "bank_heist/moved_from_another_amount",
        "bank_heist/settled_out_of_order",
    }


def _until_the_last_hundredth(ask: Ask) -> Answer:
    """Buy five guards, stay until their bank is nearly at 0, and lose all credits at once."""
    game, probability = int(ask.args[0]), Fraction(ask.args[21])
    if ask.name == "bet":
        return factories.printed("1" if game >= (300 if ask.seat == 0 else 305) else "0")
    if ask.seat == 1:
        return factories.printed("finger")
    if game < 305:
        return factories.printed("buy guard")
    return factories.printed("double cross" if probability > Fraction("0.0199") else "all in")


@doctored
def _sound() -> Heist:
    events = factories.match_events(
        _until_the_last_hundredth,
        game="bank_heist",
        players=2,
        games_min=420,
        games_max=420,
        rabble=0,
    )
    moved = [event["what"] for event in events if event.get("why") == "guard_left"]
    assert moved.count("guards") > moved.count("probability") > 1
    return Heist(factories.SEED, events)


def test_guards_that_leave_when_nothing_is_left() -> None:
    """Of several guards that leave at once, those after the probability is 0 take nothing away."""
    assert fired(_sound) == set()
