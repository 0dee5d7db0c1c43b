"""Batches of items for Dask's workers: cut them, and work on one.

Items travel in batches, because a Dask task costs milliseconds. A worker that takes too long
returns the rest of its batch unstarted.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from koth.cluster import worker_check
from schema.errors import KothError

BATCH_SECONDS = 0.25
"""Seconds of work in a batch, if the workers are few."""
BATCHES_PER_SECOND = 250
"""Maximum batches in a second, of all workers: the scheduler takes a millisecond for each."""
BATCH_BYTES = 8 << 20
"""Bytes of items at which a batch is closed."""
BATCH_ITEMS = 10_000
"""Maximum items of a batch."""
BATCHES_PER_WORKER = 2
"""Batches submitted per worker: the current one and the next."""


class BatchSizer:
    """Cut items into batches, by the time of earlier items and the number of ``workers``."""

    def __init__(self, workers: Callable[[], int]) -> None:
        self._workers = workers
        self._seconds_per_item = 0.0

    @property
    def measured(self) -> bool:
        """Whether a batch was timed yet."""
        return self._seconds_per_item > 0

    @property
    def seconds(self) -> float:
        """The time that a batch should take."""
        return max(BATCH_SECONDS, self._workers() / BATCHES_PER_SECOND)

    def add(self, items: int, seconds: float) -> None:
        """Record the time of a batch."""
        if items:
            latest = max(seconds / items, BATCH_SECONDS / BATCH_ITEMS)
            self._seconds_per_item = (
                (self._seconds_per_item + latest) / 2 if self.measured else latest
            )

    def batches(self, items: Iterable[bytes]) -> Iterator[list[bytes]]:
        """Yield batches of items, drawn on demand; of one item each until a batch was timed.

        Items are drawn for several batches of each worker, and divided evenly, so that the workers
        come to the end together.
        """
        remaining = iter(items)
        while True:
            workers, most = max(1, self._workers()), self._most_items()
            drawn_most = workers * most * (BATCHES_PER_WORKER if self.measured else 1)
            drawn = [*_up_to(workers * BATCH_BYTES, islice(remaining, drawn_most))]
            if not drawn:
                return
            turns = -(-len(drawn) // (workers * most))
            even = -(-len(drawn) // (workers * turns))
            rest = iter(drawn)
            while batch := [*_up_to(BATCH_BYTES, islice(rest, even))]:
                yield batch

    def _most_items(self) -> int:
        """Return the number of items that take the time of a batch."""
        if not self.measured:
            return 1
        return min(BATCH_ITEMS, max(1, int(self.seconds / self._seconds_per_item)))


def _up_to(size: int, items: Iterator[bytes]) -> Iterator[bytes]:
    """Yield ``items`` until they have this many bytes."""
    while size > 0 and (item := next(items, None)) is not None:
        size -= len(item)
        yield item


# --- on a worker ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class BatchResult:
    """The results of the first items of a batch, and the error at the next one, if any."""

    results: list[Any]
    seconds: float
    error: KothError | None


def run_batch(payload: bytes) -> BatchResult:
    """Run a batch in the worker's own thread; the Dask task."""
    return worker_check.run(_run_batch, payload)


def _run_batch(payload: bytes) -> BatchResult:
    function, batch, seconds = pickle.loads(payload)
    start = time.perf_counter()
    results: list[Any] = []
    error: KothError | None = None
    for item in batch:
        try:
            results.append(function(pickle.loads(item)))
        except KothError as raised:
            error = raised
            break
        if time.perf_counter() - start > seconds:
            break
    return BatchResult(results, time.perf_counter() - start, error)
