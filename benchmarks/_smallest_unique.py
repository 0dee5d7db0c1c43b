"""Compare tournaments of Smallest Unique Number with a plain loop of the same game.

The plain loop loads the classes once and keeps ten objects in a list; it has no log and no
isolation.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import Figure, Goal, times
from koth.workers import workers
from referee import tournament
from referee.bot import Bot
from referee.pools import pool
from referee.roster.resolve import resolve
from referee.sandbox import sandbox
from schema import registry

CARD = registry.card("smallest_unique")
SEED = "5a" * 32
SEATS, ROUNDS = 10, 1_000

BLOCK, JOBS, INSIDE = "a process per bot", "a process per bot, two jobs", "in the referee's process"
PLAIN = "plain loop on one core"
SANDBOX, SANDBOX_JOBS = "a sandbox per bot", "a sandbox per bot, two jobs"
GOALS = {BLOCK: (times(0.5),), JOBS: (times(1.0),), INSIDE: (times(1.0),)}
"""The goal for each way of playing, as a ratio to the plain loop."""


def figures(size: int) -> Iterator[Figure]:
    """Measure rounds per second in tournaments of about ``size`` matches of the example bots."""
    bots = resolve(["examples"], CARD)
    yield from compared("rounds", bots, size)


def compared(
    name: str, bots: Sequence[Bot], size: int, goals: Mapping[str, tuple[Goal, ...]] = GOALS
) -> Iterator[Figure]:
    """Measure each way of playing ``bots``, with plain loops before and after each run."""
    games = -(-size // len(bots))
    matches = games * len(bots)
    ways: dict[str, Callable[[], None]] = {
        BLOCK: lambda: one_core(lambda: play_tournament(bots, games, "process", 1)),
        JOBS: lambda: play_tournament(bots, games, "process", 2),
        INSIDE: lambda: one_core(lambda: play_tournament(bots, games, "none", 1)),
    }
    if not sandbox.unavailable_reason():
        ways[SANDBOX] = lambda: one_core(lambda: play_tournament(bots, games, "sandbox", 1))
        ways[SANDBOX_JOBS] = lambda: play_tournament(bots, games, "sandbox", 2)
    for way, work in ways.items():
        taken: list[float] = []
        plain = [seconds(lambda: one_core(lambda: plain_loop(bots, matches)))]
        for _ in range(min(3, size)):
            taken.append(seconds(work))
            plain.append(seconds(lambda: one_core(lambda: plain_loop(bots, matches))))
        yield Figure(
            f"{name}, {way}",
            matches * ROUNDS / median(taken),
            "1/s",
            PLAIN,
            matches * ROUNDS / median(plain),
            goals.get(way, ()),
        )


def play_tournament(bots: Sequence[Bot], games: int, isolation: str, jobs: int) -> None:
    """Play a whole tournament into a temporary folder."""
    settings = CARD.settings({"games_per_entrant": games, "min_games_per_entrant": 0})
    with tempfile.TemporaryDirectory() as folder, workers(jobs) as mapper:
        planned = tournament.plan(CARD, bots, settings, SEED, None, Path(folder) / "cup", isolation)
        tournament.play(planned, mapper, lambda done, total: None)


def seconds(work: Callable[[], None]) -> float:
    """Return the seconds that ``work`` takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def one_core(work: Callable[[], None]) -> None:
    """Run ``work`` and all processes that it starts on one processor."""
    processors = os.sched_getaffinity(0)
    pool.close()  # servers that wait may be on any
    os.sched_setaffinity(0, {max(processors)})
    try:
        work()
    finally:
        os.sched_setaffinity(0, processors)
        pool.close()


# --- the plain loop ------------------------------------------------------------------------------


def plain_loop(bots: Sequence[Bot], matches: int) -> None:
    """Play ``matches`` matches of ten random ``bots`` each, and count wins."""
    with tempfile.TemporaryDirectory() as folder:
        classes = [load(bot, Path(folder)) for bot in bots]
    draw = random.Random(SEED)
    wins = [0] * len(classes)
    for _ in range(matches):
        entrants = draw.sample(range(len(classes)), SEATS)
        points = play([classes[entrant](seat) for seat, entrant in enumerate(entrants)])
        for seat, entrant in enumerate(entrants):
            wins[entrant] += points[seat] == max(points)


def play(players: Sequence[Any]) -> list[int]:
    """Play one match; return the points by seat."""
    points = [0] * len(players)
    for _ in range(ROUNDS):
        choices = [player.select() for player in players]
        unique = [choice for choice in choices if choices.count(choice) == 1]
        if unique:
            points[choices.index(min(unique))] += 1
        for player in players:
            player.update(list(choices))
    return points


def load(bot: Bot, folder: Path) -> Any:
    """Return the class of a bot."""
    bot.install(folder)
    spec = spec_from_file_location(bot.name, folder / bot.command[-1])
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, bot.class_name)
