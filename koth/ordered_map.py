"""Hand independent work to an executor, and give the results in order.

Processes (:mod:`koth.workers`) and a cluster (:mod:`koth.cluster`) are both executors of
``concurrent.futures``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue

from schema.errors import KothError
from schema.executor import A, B

LOOK = 1.0
"""Seconds between two checks whether the workers are still there."""


class WorkerError(KothError):
    """Raised when workers die or cannot be reached. Finished work is kept."""


def ordered_map(
    submit: Callable[[A], Future[B]],
    items: Iterable[A],
    most: Callable[[], int],
    kept: int = 1,
    requeue: Callable[[A, B], Iterable[A]] = lambda item, result: (),
    look: Callable[[], None] | None = None,
) -> Generator[B, None, None]:
    """The results of ``items``, which are taken as they are needed and handed to ``submit``.

    At most ``most()`` pieces of work are under way; ``kept`` times as many wait for their turn, so
    that one slow worker does not stop the others. What is ``requeue`` of an item follows its
    result. Every ``LOOK`` seconds at least, ``look`` is called, and may raise. Closed
    early, it cancels what was not begun and waits for the rest.
    """
    waiting: deque[tuple[A, Future[B]]] = deque()
    ended: SimpleQueue[Future[B]] = SimpleQueue()
    working = 0

    def handed_out(item: A) -> tuple[A, Future[B]]:
        nonlocal working
        future = submit(item)
        working += 1
        future.add_done_callback(ended.put)
        return item, future

    remaining = iter(items)
    try:
        while True:
            room = min(most() - working, kept * most() - len(waiting))
            waiting.extend(map(handed_out, islice(remaining, max(0, room))))
            if not waiting:
                return
            item, first = waiting[0]
            if first.done():
                result = first.result()
                waiting.popleft()
                following = [handed_out(rest) for rest in requeue(item, result)]
                waiting.extendleft(reversed(following))
                yield result
            else:
                with suppress(Empty):
                    ended.get(timeout=LOOK if look else None)
                    working -= 1
            while not ended.empty():
                ended.get()
                working -= 1
            if look:
                look()
    except GeneratorExit:
        for _, future in waiting:
            future.cancel()
        wait([future for _, future in waiting])
        raise
