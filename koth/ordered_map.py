"""Hand independent work to an executor, and yield the results in order.

Processes (:mod:`koth.processes`) and a cluster (:mod:`koth.cluster`) are both executors of
``concurrent.futures``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Protocol

from schema.errors import KothError
from schema.executor import A, B

CHECK_SECONDS = 1.0
"""Seconds between two checks that the workers are still available."""


class WorkerError(KothError):
    """Raised when workers die or cannot be reached. Finished work is kept."""


class BatchMapper(Protocol):
    """A mapper that yields its results batch by batch, as they arrive."""

    def __call__(
        self, function: Callable[[A], B], items: Iterable[A], /
    ) -> Generator[list[B], None, None]:
        """Yield the results of ``function`` in the order of ``items``, one list per batch."""
        ...


def ordered_map(
    submit: Callable[[A], Future[B]],
    items: Iterable[A],
    max_running: Callable[[], int],
    ahead: int = 1,
    requeue: Callable[[A, B], Iterable[A]] = lambda item, result: (),
    check: Callable[[], None] | None = None,
) -> Generator[B, None, None]:
    """Submit ``items`` as workers become free, and yield the results in order.

    At most ``max_running()`` items run at a time. ``ahead`` times as many may be finished or
    running after the first unfinished item, so that one slow worker does not stop the others. Items
    that ``requeue`` returns for an item and its result are submitted next; their results follow.
    ``check`` is called at least every ``CHECK_SECONDS``, and may raise. An early ``close`` cancels
    waiting items and waits for running ones.
    """
    pending: deque[tuple[A, Future[B]]] = deque()
    ended: SimpleQueue[Future[B]] = SimpleQueue()
    running = 0

    def start(item: A) -> tuple[A, Future[B]]:
        nonlocal running
        future = submit(item)
        running += 1
        future.add_done_callback(ended.put)
        return item, future

    remaining = iter(items)
    try:
        while True:
            room = min(max_running() - running, ahead * max_running() - len(pending))
            if not pending:  # even if no worker is left, or known to be free: one item waits for it
                room = max(1, room)
            pending.extend(map(start, islice(remaining, max(0, room))))
            if not pending:
                return
            item, first = pending[0]
            if first.done():
                result = first.result()
                pending.popleft()
                again = [start(rest) for rest in requeue(item, result)]
                pending.extendleft(reversed(again))
                yield result
            else:
                with suppress(Empty):
                    ended.get(timeout=CHECK_SECONDS if check else None)
                    running -= 1
            while not ended.empty():
                ended.get()
                running -= 1
            if check:
                check()
    except GeneratorExit:
        # Not for those that were cancelled: an executor may never tell that it saw this.
        wait([future for _, future in pending if not future.cancel()])
        raise
