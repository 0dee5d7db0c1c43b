"""The start of the servers and sandboxes of a match: together, and one after the other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from statistics import median

from benchmarks.measure import Figure, in_turn, within
from referee.bot import Bot, BotFile
from referee.pools import pool
from referee.sandbox import sandbox

SIZE = 15
"""Matches whose servers start in each way."""

QUICK = 5

SEATS = 8

GOALS = (within(0.75),)
"""The goal on two processors."""


def run(size: int) -> Iterator[Figure]:
    """Measure the start of the servers of a match of scripts, in ms for each seat."""
    for isolation in ["process"] if sandbox.unavailable_reason() else ["process", "sandbox"]:
        yield started(isolation, size)


def started(isolation: str, matches: int) -> Figure:
    """Start the servers of ``matches`` at one level, in each way."""
    files = [("bot.py", BotFile(b"print(%d)\n" % seat, False)) for seat in range(SEATS)]
    bots = [Bot("bot", (sys.executable, "bot.py"), (file,)) for file in files]

    def timed(expected: list[Bot]) -> Callable[[], None]:
        def start() -> None:
            pool.expect(expected, isolation)
            for server in [pool.take(bot, isolation) for bot in bots]:
                pool.give_back(server)
            pool.close()

        return start

    taken = in_turn({"together": timed(bots), "alone": timed([])}, matches)
    together, alone = (1000 * median(taken[way]) / SEATS for way in ("together", "alone"))
    what = f"start for {SEATS} seats, {isolation}"
    return Figure(what, together, "ms/seat", "one after the other", alone, GOALS)
