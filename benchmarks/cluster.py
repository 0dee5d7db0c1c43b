"""Whole tournaments and their verification on a cluster of two workers, against one core.

Scheduler and workers are real ones, on this machine. What one core does is measured in this process
alone, held on one processor together with the bots that it starts.
"""

from __future__ import annotations

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
from benchmarks.tournament import thinks_little
from koth.workers import workers
from referee import tournament
from referee.pools import warm_pool
from referee.roster.resolve import resolve
from referee.tournament import Tournament
from replay.verify import verify_all
from schema import discovery, registry
from schema.executor import Mapper, serial

SIZE = 6
"""About so many seconds of one core for each tournament."""

ROUNDS = 2
SEED = "5" * 64
GOALS = (times(1.7),)


def run(size: int) -> Iterator[Figure]:
    """Matches per second of each game, and then the events per second that are verified."""
    games = {
        "coup": (4, {"rounds": size, "max_calls": 40}),
        "coins": (6, {"games": size * 5, "rounds": 25}),
        "bank_heist": (12, {"matches": size, "games_min": 4, "games_max": 4}),
        "smallest_unique": (10, {"games_per_entrant": size * 15, "min_games_per_entrant": 0}),
    }
    with tempfile.TemporaryDirectory() as place, cluster(Path(place)) as address:
        for game, (entrants, settings) in games.items():
            yield from compared(game, entrants, settings, Path(place) / game, address)


def compared(
    game: str, entrants: int, given: dict[str, int], place: Path, address: str
) -> Iterator[Figure]:
    """One game, played and verified on the cluster, and on one core."""
    card = registry.card(game)
    found = resolve(["examples"], card)
    bots = found if card.protocol == "class" else [bot for bot in found if thinks_little(bot)]
    number = count()
    place.mkdir()

    def play(each: Mapper, planned: Tournament) -> None:
        tournament.play(planned, each, lambda done, total: None)

    def verify(each: Mapper, planned: Tournament) -> None:
        assert all(verdict.fine for verdict in verify_all(discovery.logs([place / "0"]), each))

    def plan() -> Tournament:
        into = place / str(next(number))
        settings = card.settings(given)
        return tournament.plan(card, bots[:entrants], settings, SEED, None, into, "process")

    def away(work: Callable[[Mapper, Tournament], None]) -> None:
        planned = plan()
        with workers(None, address, tournament=planned) as each:
            work(each, planned)

    def here(work: Callable[[Mapper, Tournament], None]) -> None:
        one_core(lambda: work(serial, plan()))
        warm_pool.end()

    here(play)
    logs = [log.read_bytes() for log in (place / "0" / discovery.MATCHES).iterdir()]
    for what, work, unit, done in (
        ("played", play, "matches/s", len(logs)),
        ("verified", verify, "events/s", sum(log.count(b"\n") for log in logs)),
    ):
        works = {"away": partial(away, work), "here": partial(here, work)}
        taken = medians(in_turn(works, ROUNDS))
        rates = (done / taken["away"], unit, "one core", done / taken["here"])
        yield Figure(f"{card.title}, {what}", *rates, GOALS if what == "played" else ())


@contextmanager
def cluster(place: Path) -> Iterator[str]:
    """A scheduler and two workers of Dask; its address."""
    file = place / "scheduler.json"
    running: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> None:
        command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
        nowhere = subprocess.DEVNULL
        running.append(subprocess.Popen(command, cwd=place, stdout=nowhere, stderr=nowhere))

    try:
        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        while not (file.exists() and file.read_bytes().endswith(b"}")):
            time.sleep(0.1)
        address = str(orjson.loads(file.read_bytes())["address"])
        start("worker", address, "--nworkers", "2", "--nthreads", "1")
        dask: Any = import_module("distributed")
        with dask.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2)
        yield address
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait()
