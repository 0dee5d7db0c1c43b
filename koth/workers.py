"""Where independent work is done: in this process, in ``--jobs`` processes, or on a cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from koth.ordered_map import WorkerError, ordered_map
from schema.errors import UsageError
from schema.executor import A, B, Mapper, serial

if TYPE_CHECKING:
    from referee.tournament import Tournament

STOPPED = 130
GRACE = 2
"""Seconds that a worker has to clean up, before it is told once more to stop."""

AHEAD = 4
"""Pieces of work that are handed out for each process, so that none of them waits."""


class Stop(SystemExit):
    """This process is to end; not to be mistaken for the exit of anything that runs in it."""


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
    from koth.cluster.client import cluster_workers

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

            return ordered_map(submit, items, lambda: AHEAD * jobs)

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
