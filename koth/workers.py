"""``--jobs``: independent pieces of work, in this process or in several, with results in order."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import FrameType

from schema.errors import KothError
from schema.mapper import Mapper


class WorkerError(KothError):
    """A worker process died."""


@contextmanager
def workers(jobs: int) -> Iterator[Mapper]:
    """A ``map`` that works in ``jobs`` processes, or right here when that is 1.

    Leaving the block early, by an error or an interrupt, stops the workers. Raises WorkerError
    when one of them dies.
    """
    if jobs == 1:
        yield map
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_listen) as pool:
        try:
            yield pool.map
        except BrokenProcessPool:
            raise WorkerError("a worker process died; what it had finished stands.") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


def _listen() -> None:
    # An interrupt from the keyboard reaches every process, but only the first one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)


def _stop(number: int, frame: FrameType | None) -> None:
    raise SystemExit(130)
