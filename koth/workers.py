"""Independent pieces of work, with results in order: here, in ``--jobs`` processes, or elsewhere.

Processes and a cluster (:mod:`koth.cluster`) are both executors of ``concurrent.futures``, and
:func:`in_order` hands work to either.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING

from schema.errors import KothError, UsageError
from schema.mapper import A, B, Mapper, serial

if TYPE_CHECKING:
    from referee.tournament import Tournament

STOPPED = 130
GRACE = 2
"""Seconds that a worker has to clean up, before it is told once more to stop."""

AHEAD = 4
"""Pieces of work that are handed out for each process, so that none of them waits."""

LOOK = 1.0
"""Seconds between two looks whether those who work are still there."""


class Stop(SystemExit):
    """This process is to end; not to be mistaken for the exit of anything that runs in it."""


class WorkerError(KothError):
    """Work that was handed out cannot be had; what was finished stands."""


@contextmanager
def workers(
    jobs: int | None,
    cluster: str | None = None,
    shared: Path | None = None,
    tournament: Tournament | None = None,
) -> Iterator[Mapper]:
    """A mapper that works right here, in ``jobs`` processes, or on the machines of a ``cluster``.

    ``shared`` is a folder that those machines see, too; ``tournament`` is whose matches are to be
    played. Leaving the block early, by an error or an interrupt, stops the workers. Raises
    UsageError for options that do not go together, and WorkerError when workers die or are out of
    reach.
    """
    if cluster is None:
        if shared is not None:
            raise UsageError("--shared: expected with --cluster, found without.")
        with _processes(jobs or 1) as each:
            yield each
        return
    from koth.cluster.session import cluster_workers

    with cluster_workers(cluster, jobs, shared, tournament) as each:
        yield each


@contextmanager
def _processes(jobs: int) -> Iterator[Mapper]:
    if jobs == 1:
        yield serial
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_listen) as pool:

        def each(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
            def submit(item: A) -> Future[B]:
                return pool.submit(_work, function, item)

            return in_order(submit, items, lambda: AHEAD * jobs)

        try:
            yield each
        except BrokenProcessPool:
            raise WorkerError("a worker process died; what it had finished stands.") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            while left := multiprocessing.active_children():
                for worker in left:
                    worker.terminate()  # again, if the word came just before it fell asleep
                for worker in left:
                    worker.join(GRACE)
            raise


def in_order(
    submit: Callable[[A], Future[B]],
    items: Iterable[A],
    most: Callable[[], int],
    kept: int = 1,
    left_over: Callable[[A, B], Iterable[A]] = lambda item, result: (),
    look: Callable[[], None] | None = None,
) -> Generator[B, None, None]:
    """The results of ``items``, which are taken as they are needed and handed to ``submit``.

    At most ``most()`` pieces of work are under way; ``kept`` times as many wait for their turn, so
    that one slow worker does not stop the others. What is ``left_over`` of an item follows its
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
                following = [handed_out(rest) for rest in left_over(item, result)]
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


def _work(function: Callable[[A], B], item: A) -> B:
    try:
        return function(item)
    except SystemExit:  # all is cleaned up; the pool would go on with what is waiting
        os._exit(STOPPED)


def _listen() -> None:
    # An interrupt from the keyboard reaches every process, but only the first one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGALRM, _stop)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Stop this process once the first one is gone, however that ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _stop(number: int, frame: FrameType | None) -> None:
    signal.alarm(GRACE)  # once more, if it is lost where it is raised now, as in a destructor
    raise Stop(STOPPED)
