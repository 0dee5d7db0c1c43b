"""Processor time per event to read logs in four ways, of a thousand to ten million events.

By the clock, a busy machine slows down the largest set most, because it is measured least often.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from audit.run_rules import audit
from audit.tables import open_database
from benchmarks._histories import one_match
from benchmarks.measure import Figure, within
from replay.diff import diff
from replay.explain import explain
from replay.state import last
from replay.verify import verify_all
from schema.reader import read

SIZE = 10_000_000
"""Events of the largest set of logs; each other set has ten times the events of the previous."""

QUICK = 300_000

SMALLEST = 1_000
LONGEST = 1_000_000
"""Maximum rounds of one match in the rules; larger sets have several matches."""

REPEATED = 30_000
"""Minimum of events read per measurement; smaller sets are read repeatedly."""

TIMES = 2
"""Minimum of runs per measurement, unless one takes longer than LONG seconds."""

LONG = 5


def run(size: int) -> Iterator[Figure]:
    """Measure microseconds per event, each against the fastest of the smaller sets."""
    readers: dict[str, tuple[Callable[[list[Path]], None], float]] = {
        "verify": (_verify, 1.5),
        "audit": (_audit, 1.5),
        "explain": (_explain, 2),
        "diff": (_diff, 2),
    }
    """The readers with their goals; above 16 MB the strict reader parses a log twice."""
    fastest: dict[str, float] = {}
    with TemporaryDirectory() as place:
        for events in _sizes(size):
            rounds = min(events, LONGEST)
            logs = [
                one_match(Path(place) / f"{events}-{n}.jsonl", rounds, n)
                for n in range(events // rounds)
            ]
            for name, (read_all, limit) in readers.items():
                times = max(TIMES, REPEATED // max(events, SMALLEST))
                each = _seconds(read_all, logs, times) / events * 1e6
                fastest.setdefault(name, each)
                yield Figure(
                    f"{name}, {events:,} events",
                    each,
                    "µs/event",
                    "fastest smaller",
                    fastest[name],
                    (within(limit),),
                )
                fastest[name] = min(fastest[name], each)
            for log in logs:
                log.unlink()


def _sizes(largest: int) -> Iterator[int]:
    events = SMALLEST
    while events < largest:
        yield events
        events *= 10
    yield largest


def _seconds(read: Callable[[list[Path]], None], logs: list[Path], times: int) -> float:
    """Return the processor's seconds of the fastest of 1 + ``times`` runs; the first warms up."""
    taken = []
    for _ in range(1 + times):
        begun = time.process_time()
        read(logs)
        taken.append(time.process_time() - begun)
        if taken[-1] > LONG:
            break
    return min(taken)


def _verify(logs: list[Path]) -> None:
    assert all(verdict.verdict == "verified" for verdict in verify_all(logs))


def _audit(logs: list[Path]) -> None:
    with open_database(logs, current_only=True) as database:
        assert not audit(database).findings


def _explain(logs: list[Path]) -> None:
    """Explain the last event of each match."""
    for path in logs:
        log = read(path)
        explain(log, last(log))


def _diff(logs: list[Path]) -> None:
    """Compare each log with itself, to its end."""
    assert all(diff(path, path).seq is None for path in logs)
