"""``--jobs``: independent pieces of work, in this process or in several, with results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import FrameType

from schema.errors import KothError
from schema.mapper import A, B, Mapper, serial

STOPPED = 130
GRACE = 2
"""Seconds that a worker has to clean up, before it is told once more to stop."""

AHEAD = 4
"""Pieces of work that are handed out for each process, so that none of them waits."""


class Stop(SystemExit):
    """This process is to end; not to be mistaken for the exit of anything that runs in it."""


class WorkerError(KothError):
    """A worker process died."""


@contextmanager
def workers(jobs: int) -> Iterator[Mapper]:
    """A mapper that works in ``jobs`` processes, or right here when that is 1.

    Leaving the block early, by an error or an interrupt, stops the workers. Raises WorkerError
    when one of them dies.
    """
    if jobs == 1:
        yield serial
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_listen) as pool:
        try:
            yield _ahead(pool, AHEAD * jobs)
        except BrokenProcessPool:
            raise WorkerError("a worker process died; what it had finished stands.") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


def _ahead(pool: ProcessPoolExecutor, most: int) -> Mapper:
    """Works in ``pool`` with at most ``most`` pieces handed out, so that many cost no memory."""

    def each(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
        waiting: deque[Future[B]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(_work, function, item))
                if len(waiting) == most:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except GeneratorExit:
            for future in waiting:
                future.cancel()
            wait(waiting)
            raise

    return each


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
