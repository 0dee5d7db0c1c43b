"""Tournaments of each game, compared with a plain controller loop of the same game.

In Coup, Bank Heist and Coins, the loop starts a process per decision and keeps nothing. Koth plays
the matches in sequence and with two jobs, at `process` and in sandboxes. Bots that compute longer
than an interpreter takes to start do not play, because their time would hide the referee's. The
same bots play again without a proof that their decisions may share a process. For Smallest
Unique Number the loop is in one process.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from benchmarks._controllers import Rivals, without_proof
from benchmarks.measure import Figure, in_turn, medians, times
from koth.workers import workers
from referee.bot import Bot
from referee.pools import pool
from referee.roster.resolve import resolve
from referee.sandbox import sandbox
from schema import registry

SIZE = 100
"""Approximate decisions per match of Coins and Bank Heist, and per tournament of Coup."""

QUICK = 1

ROUNDS = 3
SLOW_BOTS = ("planner", "bookkeeper")
GOALS = {
    "warm": (times(10),),
    "sandbox": (times(8),),
    "warm, two jobs": (times(14),),
    "sandbox, two jobs": (times(12),),
}
SMALLEST_UNIQUE = "benchmarks._smallest_unique"


def run(size: int) -> Iterator[Figure]:
    """Measure decisions per second of the games of scripts, then Smallest Unique Number."""
    scale, repeats = max(1, size // 50), min(ROUNDS, size)
    yield from compared("coup", 4, repeats, max_calls=scale * 6, rounds=1)
    yield from compared("coins", 8, repeats, games=2, rounds=scale * 6)
    yield from compared(
        "bank_heist", 12, repeats, matches=2, games_min=scale * 2, games_max=scale * 2
    )
    if find_spec(SMALLEST_UNIQUE):
        yield from import_module(SMALLEST_UNIQUE).figures(size)


def compared(game: str, entrants: int, repeats: int, **given: int) -> Iterator[Figure]:
    """Measure one game in Koth, warm with one and two jobs, and cold, against the plain loop."""
    card = registry.card(game)
    bots = [bot for bot in resolve(["examples"], card) if answers_at_once(bot)][:entrants]
    settings = card.settings(given)

    with tempfile.TemporaryDirectory() as place, workers(2) as two_jobs:
        rivals = Rivals(card, bots, settings, Path(place))
        others = Rivals(card, [*map(without_proof, bots)], settings, Path(place) / "others")
        works: dict[str, Callable[[], None]] = {
            "warm": rivals.koth,
            "plain": rivals.plain,
            "warm, two jobs": lambda: rivals.koth(mapper=two_jobs),
            "cold": lambda: rivals.koth(cold=True),
            "warm, without a proof": others.koth,
        }
        if not sandbox.unavailable_reason():
            works["sandbox"] = lambda: rivals.koth("sandbox")
            works["sandbox, two jobs"] = lambda: rivals.koth("sandbox", two_jobs)
            works["sandbox, without a proof"] = lambda: others.koth("sandbox")
        for _ in range(2):  # starts the helpers
            for name in works.keys() - {"plain", "cold"}:
                works[name]()
        taken = medians(in_turn(works, repeats))
        pool.close()
    rates = {name: rivals.decisions / seconds for name, seconds in taken.items()}
    plain_rate = rates.pop("plain")
    for name, rate in rates.items():
        yield Figure(
            f"{card.title}, {name}",
            rate,
            "decisions/s",
            "plain loop",
            plain_rate,
            GOALS.get(name, ()),
        )


def answers_at_once(bot: Bot) -> bool:
    """Return whether a bot is a Python script that answers at once."""
    return bot.command[0] == sys.executable and bot.name not in SLOW_BOTS
