"""Tournaments of Coins with bots in other languages, compared with a plain controller loop.

The bots of ``_languages`` play alike, so that a decision takes little more than the start of its
interpreter. Koth plays with one job, and writes logs. Each way of playing is measured by the clock,
and by the processor time of the referee and of all processes that it starts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks._controllers import Rivals, without_proof
from benchmarks.measure import Figure, Goal, times
from referee.bot import Bot, BotFile
from referee.pools import pool
from referee.processes.processor_time import Meter
from referee.sandbox import sandbox
from schema import registry

SIZE = 20
"""Rounds per game; each of four bots has a turn in each."""

QUICK = 1

ENTRANTS = 4
REPEATS = 5
SOURCES = Path(__file__).with_name("_languages")

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "Java": ("java", "-cp", ".", "Steady"),
    "Node": ("node", "steady.js"),
    "Ruby": ("ruby", "steady.rb"),
    "R": ("Rscript", "steady.R"),
    "PHP": ("php", "steady.php"),
    "Perl": ("perl", "steady.pl"),
    "Python": (sys.executable, "steady.py"),
}
"""The command of the bot in each language."""

COMPILERS: Mapping[str, tuple[str, ...]] = {"Java": ("javac", "Steady.java")}

GOALS: Mapping[str, tuple[Goal, ...]] = {
    "Java": (times(2),),
    "Node": (times(2),),
    "Ruby": (times(1.5),),
}


class Taken(NamedTuple):
    """Seconds that a tournament took."""

    clock: float
    processor: float
    """Of this process and all processes that it started, user and system time."""


def run(size: int) -> Iterator[Figure]:
    """Measure each language that is installed, then a tournament with one bot of each."""
    bots = {}
    for language in COMMANDS:
        if missing := missing_program(language):
            print(f"{language} is skipped: there is no {missing}.", file=sys.stderr)
        else:
            bots[language] = bot(language)
    for language, one in bots.items():
        yield from compared(language, [one] * ENTRANTS, size, GOALS.get(language, ()))
        if language == "Python":
            others = [without_proof(one)] * ENTRANTS
            yield from compared("Python without a proof", others, size, ())
    yield from compared("one of each", list(bots.values()), size, ())


def missing_program(language: str) -> str:
    """Return the name of a program that the bot of a language needs and this machine lacks."""
    programs = [command[language][0] for command in (COMMANDS, COMPILERS) if language in command]
    return next((program for program in programs if shutil.which(program) is None), "")


def bot(language: str) -> Bot:
    """Return the bot in a language, compiled if necessary."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
        if language in COMPILERS:
            subprocess.run(COMPILERS[language], cwd=folder, check=True)
        command = COMMANDS[language]
        name = command[-1] if (folder / command[-1]).is_file() else f"{command[-1]}.class"
        file = BotFile((folder / name).read_bytes(), False)
    return Bot(language, command, ((name, file),))


def compared(
    language: str, bots: list[Bot], rounds: int, goals: tuple[Goal, ...]
) -> Iterator[Figure]:
    """Measure tournaments of ``bots`` in Koth, at each isolation, against the plain loop."""
    card = registry.card("coins")
    settings = card.settings({"games": 1, "rounds": rounds})
    entrants = [
        Bot(f"{one.name}-{number}", one.command, one.files) for number, one in enumerate(bots)
    ]

    with tempfile.TemporaryDirectory() as place:
        rivals = Rivals(card, entrants, settings, Path(place))
        works: dict[str, Callable[[], None]] = {
            "plain": rivals.plain,
            "process": rivals.koth,
            "process, cold": lambda: rivals.koth(cold=True),
        }
        if not sandbox.unavailable_reason():
            works["sandbox"] = lambda: rivals.koth("sandbox")
        for name in works.keys() - {"plain"}:
            works[name]()  # starts the servers
        taken = measured(works, min(REPEATS, rounds))
    decisions = rivals.decisions
    against = taken.pop("plain")
    for name, mine in taken.items():
        goal = goals if name == "process" else ()
        rates = decisions / mine.clock, "plain loop", decisions / against.clock
        yield Figure(f"{language}, {name}", rates[0], "decisions/s", rates[1], rates[2], goals=goal)
        milliseconds = 1000 * mine.processor / decisions
        plain_milliseconds = 1000 * against.processor / decisions
        yield Figure(
            f"{language}, {name}, processor time",
            milliseconds,
            "ms/decision",
            "plain loop",
            plain_milliseconds,
        )


def measured(works: Mapping[str, Callable[[], None]], repeats: int) -> dict[str, Taken]:
    """Run ``works`` in turn; return the medians of each. The pools keep their servers."""
    taken: dict[str, list[Taken]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            meter, begun = Meter(os.getpid()), time.perf_counter()
            work()
            clock = time.perf_counter() - begun
            meter.read()
            taken[name].append(Taken(clock, meter.computed))
    pool.close()
    return {name: Taken(*map(median, zip(*runs, strict=True))) for name, runs in taken.items()}
