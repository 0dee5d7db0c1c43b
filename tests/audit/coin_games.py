"""Games of Coins for the tests of the rules, and one audit of all that were changed."""

from __future__ import annotations

import random
from copy import deepcopy
from functools import cache

from games.table import Fault
from tests.audit.contest import Contest
from tests.audit.doctored_logs import Doctored, with_player
from tests.audit.together import Together
from tests.audit.tournament_factory import hold
from tests.factories import Player, printed

_TOGETHER = Together()
doctored, fired = _TOGETHER.doctored, _TOGETHER.fired

FAULTS = (
    printed("NNNN"),
    Fault("timeout"),
    Fault("crash", {"output": b"333"}),
    Fault("oversize", {"output": b"N" * 65_537}),
)


def busy() -> Doctored:
    """A game of three in which the players do anything legal, and one is late once."""
    return deepcopy(_busy())


def still() -> Doctored:
    """A game of two in which nobody does anything, three rounds long; all faults occur."""
    return deepcopy(_still())


def tournament() -> Contest:
    """Three games between three entrants, all different from each other in points."""
    return deepcopy(_tournament())


def anything(seed: str) -> Player:
    """A player that takes any legal action, and often takes coins and flips them."""
    rng = random.Random(seed)
    return lambda ask: printed("".join(rng.choices("N123ABCXYZFURT333FFF", k=3)) + "\r\n")


@cache
def _busy() -> Doctored:
    play = anything("busy")
    late = iter(range(12))
    made = with_player(
        lambda ask: Fault("timeout") if next(late) == 5 else play(ask),
        game="coins",
        players=3,
        rounds=4,
    )
    _TOGETHER.clean.append(made)
    return made


@cache
def _still() -> Doctored:
    replies = iter([printed(" NNN\n"), *FAULTS, printed("NNN")])
    made = with_player(lambda ask: next(replies), game="coins", players=2, rounds=3)
    _TOGETHER.clean.append(made)
    return made


@cache
def _tournament() -> Contest:
    made = hold(
        "coins", ("Anna", "Ben", "Cleo"), lambda match: anything(match.id), games=3, rounds=3
    )
    _TOGETHER.clean.append(made)
    return made
