"""Contests of thirty bots and a hundred stages: standings, memory, disk, and intervals."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from math import exp
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from audit.leaderboard import leaderboard
from audit.tables import open_database
from benchmarks import _command, _contests
from benchmarks.measure import Figure, at_least, at_most, within
from schema.discovery import EVIDENCE

SIZE = 100_000
"""Matches of the larger contest, about; the smaller has a tenth."""

QUICK = 3_000

STAGES = 100
BOTS = 30
ROUNDS_OF_INTERVALS = 1
CONTESTS = 40
"""Contests whose intervals are compared with the strengths of their bots."""


def run(size: int) -> Iterator[Figure]:
    """Measure a contest, one of a tenth of its matches, and the intervals of many small ones."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        large, matches = _held(folder / "large", size)
        small, fewer = _held(folder / "small", size // 10)
        yield Figure(
            f"koth verify, {matches:,} matches",
            _command.run("verify", large).megabytes,
            "MB",
            f"{fewer:,} matches",
            _command.run("verify", small).megabytes,
            (within(1.25),),
        )
        with open_database([large]) as database:
            begun = time.perf_counter()
            leaderboard(database, "coup")
            seconds = time.perf_counter() - begun
        yield Figure("standings after opening", seconds, "s", goals=(at_most(1),))
        plain = _contests.new(folder / "plain", 1, max_calls=2)
        _contests.enter(plain, _contests.bots(folder / "plain_bots", _names(BOTS)))
        played = _contests.run(plain, _contests.at_random)
        yield Figure(
            "bytes per match",
            _bytes(large) / matches,
            "bytes",
            "one tournament",
            _bytes(plain / "stages/0001") / played,
            (within(1.01),),
        )
        share = _covered(folder / "intervals", max(1, CONTESTS * size // SIZE))
        yield Figure("95 % intervals", share, "share", goals=(at_least(0.93), at_most(0.97)))


def _held(folder: Path, matches: int) -> tuple[Path, int]:
    """Hold a contest in which a bot comes, or is revised, before each stage.

    Returns its folder, and the number of its matches.
    """
    rounds = max(1, matches // (STAGES * 2 * (BOTS - 1)))
    folder.mkdir()
    cup = _contests.new(folder / "cup", rounds, max_calls=2)
    names = _names(BOTS)
    played = 0
    for stage in range(STAGES):
        number = stage % BOTS
        version = 1 + stage // BOTS
        entering = names[: BOTS // 2] if stage == 0 else [names[number]]
        _contests.enter(cup, _contests.bots(folder / "bots", entering, version + (stage > 0)))
        played += _contests.run(cup, _contests.at_random)
    return cup, played


def _covered(folder: Path, contests: int) -> float:
    """Return the share of intervals that cover the strength of their bot."""
    folder.mkdir()
    covered: list[bool] = []
    for number in range(contests):
        rng = random.Random(number)
        strengths = {name: exp(rng.gauss(0, 0.5)) for name in _names(BOTS)}
        cup = _contests.new(folder / f"{number}", ROUNDS_OF_INTERVALS)
        play = _contests.by_strength(strengths, number)
        names = rng.sample([*strengths], len(strengths))
        for first in range(0, BOTS, BOTS // 3):
            words = _contests.bots(folder / "bots", names[first : first + BOTS // 3])
            _contests.enter(cup, words)
            _contests.run(cup, play)
        with open_database([cup], bare=True) as database:
            board = leaderboard(database, "coup")
        low, high = (board.columns.index(name) for name in ("low", "high"))
        for row in board.rows:
            share = _share(strengths, str(row[1]))
            covered.append(float(str(row[low])) <= share <= float(str(row[high])))
    return fmean(covered)


def _share(strengths: Mapping[str, float], name: str) -> float:
    """Return the share of games that a bot wins against all others, by their strengths."""
    own = strengths[name]
    return fmean(own / (own + other) for rival, other in strengths.items() if rival != name)


def _names(number: int) -> list[str]:
    return [f"bot{n:02}" for n in range(number)]


def _bytes(folder: Path) -> int:
    """Return the bytes of the files in a folder, without evidence."""
    files = (path for path in folder.rglob("*") if EVIDENCE not in path.parts and path.is_file())
    return sum(path.stat().st_size for path in files)
