"""Smallest Unique Number for the tests of the rules, and one audit of all that were changed."""

from __future__ import annotations

import random
from copy import deepcopy
from functools import cache
from typing import Any

from games.table import Fault, Match
from tests import factories
from tests.audit.contest import Contest
from tests.audit.doctored_logs import Doctored, with_player
from tests.audit.together import Together
from tests.audit.tournament_factory import hold
from tests.factories import Player, printed

_TOGETHER = Together()
doctored, fired = _TOGETHER.doctored, _TOGETHER.fired

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus")


def played() -> Doctored:
    """A game of four that is played to its end, six rounds long."""
    return deepcopy(_game(None))


def failed(step: str) -> Doctored:
    """A game of four that is void: seats 1 and 3 fail in a step, select after two rounds."""
    return deepcopy(_game(step))


def tournament() -> Contest:
    """Seven entrants in matches of three; Ben and Dora fail to select in a third game."""
    return deepcopy(_tournament())


def once(entrants: int, seats: int, least: int = 0) -> Contest:
    """Entrants in as many matches of a round each, drawn anew if one has too few games."""
    return hold(
        "smallest_unique",
        NAMES[:entrants],
        lambda match: factories.at_random(random.Random(match.id), seats),
        seats=seats,
        rounds=1,
        games_per_entrant=1,
        min_games_per_entrant=least,
    )


def failing(step: str, rounds: int, seats: tuple[int, ...], play: Player, size: int) -> Player:
    """Plays as ``play`` does, but after some rounds these seats fail in the step."""
    count = iter(range(rounds + 2))
    illegal = ("bool True", b"\xff")

    def player(ask: Any) -> Any:
        if next(count) < rounds:
            return play(ask)
        if step == "select":
            return {
                seat: printed(illegal[seats.index(seat) % 2] if seat in seats else str(10 - seat))
                for seat in range(size)
            }
        return {seat: Fault("crash", during=step) for seat in seats}

    return player


@cache
def _game(step: str | None) -> Doctored:
    play = factories.at_random(random.Random(6), 4)
    if step is not None:
        rounds = {"construct": 0, "update": 1, "select": 2}[step]
        play = failing(step, rounds, (1, 3), play, 4)
    made = with_player(play, game="smallest_unique", players=4, seats=4, rounds=6)
    _TOGETHER.clean.append(made)
    return made


@cache
def _tournament() -> Contest:
    def player(match: Match) -> Player:
        play = factories.at_random(random.Random(match.id), 3)
        bad = tuple(seat for seat, entrant in enumerate(match.seats) if entrant in (1, 3))
        late = int(match.id[2:]) >= 2
        return failing("select", 1, bad, play, 3) if bad and late else play

    made = hold("smallest_unique", NAMES, player, seats=3, rounds=3, games_per_entrant=3)
    _TOGETHER.clean.append(made)
    return made


# All entrants in every match; one entrant without a match, who shares the last rank.
_TOGETHER.clean += [once(3, 3), once(6, 2)]
