"""Tournaments and their verification on a cluster of two workers, compared with one core.

Scheduler and workers are real processes on this machine. The calibration runs in this process, on
one processor together with its bots.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import orjson

from benchmarks._smallest_unique import one_core
from benchmarks.measure import Figure, in_turn, medians, times
from benchmarks.tournament import answers_at_once
from koth.workers import workers
from referee import tournament
from referee.pools import pool
from referee.roster.resolve import resolve
from referee.tournament import Tournament
from replay.verify import verify_all
from schema import discovery, registry
from schema.executor import Mapper, serial

SIZE = 6
"""Approximate seconds of one core for each tournament."""

QUICK = 1

ROUNDS = 2
WORKERS = 2
SEED = "5" * 64
GOALS = (times(1.7),)


def run(size: int) -> Iterator[Figure]:
    """Measure matches played per second and events verified per second, for each game."""
    games = {
        "coup": (10, {"rounds": size, "max_calls": 40}),
        "coins": (6, {"games": size * 50, "rounds": 25}),
        "bank_heist": (12, {"matches": size * 40, "games_min": 4, "games_max": 4}),
        "smallest_unique": (10, {"games_per_entrant": size * 15, "min_games_per_entrant": 0}),
    }
    with tempfile.TemporaryDirectory() as place, cluster(Path(place)) as address:
        for game, (entrants, settings) in games.items():
            yield from compared(
                game, entrants, settings, Path(place) / game, address, min(ROUNDS, size)
            )


def compared(
    game: str, entrants: int, given: dict[str, int], place: Path, address: str, rounds: int
) -> Iterator[Figure]:
    """Measure one game, played and verified on the cluster and on one core, ``rounds`` times."""
    card = registry.card(game)
    bots = resolve(["examples"], card)
    if card.protocol != "class":
        bots = [bot for bot in bots if answers_at_once(bot)]
    number = count()
    place.mkdir()

    def play(mapper: Mapper, planned: Tournament) -> None:
        tournament.play(planned, mapper, lambda done, total: None)

    def verify(mapper: Mapper, planned: Tournament) -> None:
        assert all(verdict.fine for verdict in verify_all(discovery.logs([place / "0"]), mapper))

    def plan() -> Tournament:
        into = place / str(next(number))
        settings = card.settings(given)
        return tournament.plan(card, bots[:entrants], settings, SEED, None, into, "process")

    def on_cluster(work: Callable[[Mapper, Tournament], None]) -> None:
        planned = plan()
        with workers(None, address, tournament=planned) as mapper:
            work(mapper, planned)

    def on_one_core(work: Callable[[Mapper, Tournament], None]) -> None:
        one_core(lambda: work(serial, plan()))
        pool.close()

    on_one_core(play)
    logs = [log.read_bytes() for log in (place / "0" / discovery.MATCHES).iterdir()]
    for what, work, unit, done in (
        ("played", play, "matches/s", len(logs)),
        ("verified", verify, "events/s", sum(log.count(b"\n") for log in logs)),
    ):
        works = {"cluster": partial(on_cluster, work), "one core": partial(on_one_core, work)}
        taken = medians(in_turn(works, rounds))
        rates = (done / taken["cluster"], unit, "one core", done / taken["one core"])
        yield Figure(f"{card.title}, {what}", *rates, GOALS if what == "played" else ())


@contextmanager
def cluster(place: Path) -> Iterator[str]:
    """Start a scheduler and two workers of Dask; yield the scheduler's address."""
    file = place / "scheduler.json"
    running: list[subprocess.Popen[bytes]] = []

    def start(*words: str, preexec: Callable[[], None] | None = None) -> None:
        command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
        nowhere = subprocess.DEVNULL
        running.append(
            subprocess.Popen(command, cwd=place, stdout=nowhere, stderr=nowhere, preexec_fn=preexec)
        )

    try:
        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        while not (file.exists() and file.read_bytes().endswith(b"}")):
            time.sleep(0.1)
        address = str(orjson.loads(file.read_bytes())["address"])
        for processor in sorted(os.sched_getaffinity(0))[:WORKERS]:
            words = "worker", address, "--nthreads", "1"
            start(*words, preexec=partial(os.sched_setaffinity, 0, {processor}))
        dask: Any = import_module("distributed")
        with dask.Client(address, set_as_default=False) as client:
            client.wait_for_workers(WORKERS)
        yield address
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait()
