"""Events verified per second: reading, hashing, rules, comparing every byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from benchmarks import _command
from benchmarks._histories import one_match, random_match
from benchmarks.measure import Figure, in_turn, medians, times
from replay.verify import verify_all

SIZE = 200_000
"""Approximate events of each game."""

QUICK = 50_000

CHUNK = 32 * 1024
ROUNDS = 1_000
GOALS = {
    "Smallest Unique Number": (times(0.25),),
    "Coup": (times(0.08),),
    "Bank Heist": (times(0.025),),
}

TIMES_AS_MANY = 5
"""Events of the folders that two processes verify, as a multiple of the other logs' events."""
JOBS_GOALS = (times(1.7),)


def run(size: int) -> Iterator[Figure]:
    """Measure events verified per second.

    On one processor each game is measured against parsing the lines alone; then the whole command
    with two jobs against one job, for long logs and for short ones.
    """
    makers: dict[str, tuple[int, Callable[[Path, int], Path]]] = {
        "Smallest Unique Number": (ROUNDS, lambda path, seed: one_match(path, ROUNDS, seed)),
        "Coup": (60, lambda path, seed: random_match(path, "coup", 2, seed)),
        "Coins": (1_000, lambda path, seed: random_match(path, "coins", 10, seed)),
        "Bank Heist": (
            3_000,
            lambda path, seed: random_match(
                path, "bank_heist", 10, seed, games_min=50, games_max=50
            ),
        ),
    }
    with TemporaryDirectory() as place:
        for game, (events, make) in makers.items():
            logs = _logs(Path(place) / game, make, -(-size // events))
            works = {"verify": partial(_verify, logs), "parse": partial(_parse, logs)}
            taken = medians(in_turn(works, rounds=3))
            written = _events(logs)
            yield Figure(
                f"{game}, verified",
                written / taken["verify"],
                "events/s",
                "orjson alone",
                written / taken["parse"],
                GOALS.get(game, ()),
            )
        for game in ("Smallest Unique Number", "Coup"):
            events, make = makers[game]
            folder = Path(place) / f"{game}, two jobs"
            logs = _logs(folder, make, -(-TIMES_AS_MANY * size // events))
            verify = partial(_command.run, "verify", folder, "--jobs")
            taken = medians(in_turn({n: partial(verify, n) for n in ("1", "2")}, rounds=3))
            yield Figure(
                f"{game}, the command with two jobs",
                _events(logs) / taken["2"],
                "events/s",
                "one job",
                _events(logs) / taken["1"],
                JOBS_GOALS,
            )


def _logs(folder: Path, make: Callable[[Path, int], Path], number: int) -> list[Path]:
    folder.mkdir()
    return [make(folder / f"{n}.jsonl", n) for n in range(number)]


def _events(logs: list[Path]) -> int:
    return sum(log.read_bytes().count(b"\n") for log in logs)


def _verify(logs: list[Path]) -> None:
    assert all(verdict.verdict == "verified" for verdict in verify_all(logs))


def _parse(logs: list[Path]) -> None:
    """Parse the lines of each log in chunks, which is fastest."""
    for log in logs:
        with log.open("rb") as file:
            while chunk := file.read(CHUNK) + file.readline():
                orjson.loads(b"[%b]" % chunk[:-1].replace(b"\n", b","))
