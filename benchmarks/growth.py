"""Time per event of verifying and of auditing, in histories from small to large: it stays flat."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from audit.tables import open_database
from benchmarks._histories import one_match
from benchmarks.measure import Figure, Goal
from replay.verify import verify_all

SIZE = 10_000_000
"""Events of the largest history; the smallest has a thousand, and each ten times the one before."""

SMALLEST = 1_000
LONGEST = 1_000_000
"""The rules allow no more rounds in one match; larger histories have several."""

REPEATED = 30_000
"""Smaller histories are read again and again, until so many events are read."""


def run(size: int) -> Iterator[Figure]:
    """Microseconds an event, each against the fastest of the smaller histories."""
    readers: dict[str, Callable[[list[Path]], None]] = {"verify": _verify, "audit": _audit}
    fastest: dict[str, float] = {}
    with TemporaryDirectory() as place:
        for events in _sizes(size):
            rounds = min(events, LONGEST)
            logs = [
                one_match(Path(place) / f"{events}-{n}.jsonl", rounds, n)
                for n in range(events // rounds)
            ]
            for name, read in readers.items():
                each = (
                    _seconds(read, logs, max(1, REPEATED // max(events, SMALLEST))) / events * 1e6
                )
                fastest.setdefault(name, each)
                yield Figure(
                    f"{name}, {events:,} events",
                    each,
                    "µs/event",
                    "fastest smaller",
                    fastest[name],
                    (Goal("ratio", "most", 1.5),),
                )
                fastest[name] = min(fastest[name], each)
            for log in logs:
                log.unlink()


def _sizes(largest: int) -> Iterator[int]:
    events = min(SMALLEST, largest)
    while events <= largest:
        yield events
        events *= 10


def _seconds(read: Callable[[list[Path]], None], logs: list[Path], times: int) -> float:
    """The shortest of ``times`` runs and one, which warms up."""
    taken = []
    for _ in range(1 + times):
        begun = time.perf_counter()
        read(logs)
        taken.append(time.perf_counter() - begun)
        if taken[-1] > 5:
            break
    return min(taken)


def _verify(logs: list[Path]) -> None:
    assert all(verdict.verdict == "verified" for verdict in verify_all(logs))


def _audit(logs: list[Path]) -> None:
    """Read the logs into the tables that the audit works on."""
    with open_database(logs, current_only=True):
        pass
