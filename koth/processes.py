"""Mappers for independent work in several processes of this machine (``--jobs``)."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from multiprocessing.context import BaseContext
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from types import FrameType

from koth import signals
from koth.ordered_map import WorkerError, ordered_map
from schema.errors import UsageError
from schema.executor import A, B, Mapper

FAILED = 4
"""Exit status of a worker process that cannot be set up."""
STOPPED = 130
"""Exit status of a stopped worker process."""
GRACE_SECONDS = 2
"""Seconds that a worker has for cleaning up before it receives another signal."""
SUBMITTED_PER_PROCESS = 4
"""Batches submitted per process, so that no process waits for the next."""
BATCH = 256
"""Maximum items in a batch. Passing a batch to a process takes as long as verifying a small log."""
BATCHES_PER_PROCESS = 8
"""Batches for each process that the remaining items would make, so that all end together."""
ALIVE_SECONDS = 0.05
"""Seconds between two looks whether the pool's own thread failed, until the first result."""
BATCH_SECONDS = 0.1
"""Seconds after which a process returns a batch, for other processes to take the rest."""


class Stop(SystemExit):
    """Raised in a worker process that must end."""


@contextmanager
def processes(jobs: int) -> Iterator[Mapper]:
    """Yield a mapper that works in ``jobs`` processes.

    If there are at least as many as processors, each keeps to one processor: a bot that runs where
    its referee does starts and answers sooner, with less processor time. An error or an interrupt
    in the block stops them. Raises WorkerError if one dies.
    """
    with _pool(jobs) as pool:

        def mapper(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
            def submit(batch: Sequence[A]) -> Future[list[B]]:
                return pool.submit(_run, function, batch)

            most = SUBMITTED_PER_PROCESS * jobs
            done = ordered_map(submit, _batches(items, jobs), lambda: most, requeue=_remaining)
            with closing(done) as batches:
                for results in batches:
                    yield from results

        try:
            _start_processes(pool, jobs)
            yield mapper
        except BrokenProcessPool:
            problem = "a worker process died, perhaps for lack of memory or of processes"
            raise WorkerError(f"{problem}; finished work is kept. Use fewer jobs.") from None
        except BaseException:
            own = [*pool._processes.values()]  # the caller of a function may have others
            while alive := [worker for worker in own if worker.is_alive()]:
                for worker in alive:
                    worker.terminate()  # in each round: a signal may come just before a sleep
                for worker in alive:
                    worker.join(GRACE_SECONDS)
            pool.shutdown(cancel_futures=True)  # its thread must not end together with this process
            raise


def _pool(jobs: int) -> ProcessPoolExecutor:
    """Return a pool without processes. Raises WorkerError if its files cannot be opened."""
    context, processors = _context(), _processors()
    try:
        turns = context.SimpleQueue()
        turns.put(0)
        settings = (processors if len(processors) <= jobs else [], turns)
        return ProcessPoolExecutor(jobs, context, _set_up_worker, settings)
    except OSError as error:
        raise _not_started(jobs, error) from None


def _not_started(jobs: int, error: OSError | RuntimeError) -> WorkerError:
    problem = f"{jobs} processes cannot be started: {getattr(error, 'strerror', error)}"
    return WorkerError(f"jobs: {problem}. Use fewer jobs.")


def _processors() -> list[int]:
    """Return the processors that this process may use; none if the system does not tell."""
    if sys.platform == "linux":
        return sorted(os.sched_getaffinity(0))
    return []


def _context() -> BaseContext:
    """Return the fastest safe way to start a worker: a fork if this process has one thread.

    Other threads, such as those of DuckDB, may hold locks that a forked process waits for.
    """
    threads = Path("/proc/self/task")
    is_single = sys.platform == "linux" and threads.is_dir() and len(list(threads.iterdir())) == 1
    return multiprocessing.get_context("fork" if is_single else "spawn")


def _start_processes(pool: ProcessPoolExecutor, jobs: int) -> None:
    """Start the workers now, before other threads. A signal to one waits until it is set up.

    Raises WorkerError if the system does not allow so many processes, their threads or their open
    files, and UsageError in a worker of multiprocessing.Pool.
    """
    if multiprocessing.current_process().daemon:
        raise UsageError("jobs: a daemonic process cannot start processes. Use one job in it.")
    try:
        with _thread_errors(pool) as failed:
            signals.block(signals.ENDING)
            try:
                first = pool.submit(int)
            finally:
                signals.unblock(signals.ENDING)
            while wait([first], ALIVE_SECONDS).not_done and not failed:
                pass  # it starts a second thread, and without that one no result would come
        if failed:
            raise failed[0]
    except (OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError):
            pool._executor_manager_thread = None  # type: ignore[assignment]  # none to wait for
        raise _not_started(jobs, error) from None


@contextmanager
def _thread_errors(pool: ProcessPoolExecutor) -> Iterator[list[BaseException]]:
    """Yield the error that ends the pool's own thread, if one does, instead of printing it."""
    errors: list[BaseException] = []
    usual = threading.excepthook

    def keep(failure: threading.ExceptHookArgs) -> None:
        own: object = pool._executor_manager_thread  # typeshed gives it another type
        if failure.thread is own and failure.exc_value:
            errors.append(failure.exc_value)
        else:
            usual(failure)

    threading.excepthook = keep
    try:
        yield errors
    finally:
        threading.excepthook = usual


def _batches(items: Iterable[A], jobs: int) -> Iterator[Sequence[A]]:
    """Yield ``items`` in batches, smaller ones towards the end; one by one if it is no sequence."""
    if not isinstance(items, Sequence):
        yield from ([item] for item in items)
        return
    end = 0
    while (begin := end) < len(items):
        size = (len(items) - begin) // (BATCHES_PER_PROCESS * jobs)
        end = begin + min(max(1, size), BATCH)
        yield items[begin:end]


def _run(function: Callable[[A], B], batch: Sequence[A]) -> list[B]:
    """Return the results of the first items of a batch: of one, and of more if they are quick.

    An item that fails after others is left out, so that their results come first.
    """
    results: list[B] = []
    end = time.monotonic() + BATCH_SECONDS
    with _stop_raised():
        for item in batch:
            try:
                results.append(function(item))
            except SystemExit:  # cleaning up is done; otherwise the pool would start the next item
                os._exit(STOPPED)
            except Exception:
                if results:
                    break
                raise
            if time.monotonic() > end:
                break
    return results


@contextmanager
def _stop_raised() -> Iterator[None]:
    """Raise Stop in the block at SIGTERM, so that its work cleans up.

    Elsewhere SIGTERM ends a worker at once: an exception in the middle of the pool's queue would
    leave a part of an item there for the next worker.
    """
    if sys.platform == "win32":  # there a terminated process ends at once
        yield
        return
    signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _remaining(batch: Sequence[A], results: Sequence[object]) -> Iterator[Sequence[A]]:
    """Yield the items of a batch without results in batches of as many, for any process to take."""
    for begin in range(len(results), len(batch), len(results)):
        yield batch[begin : begin + len(results)]


def _set_up_worker(processors: Sequence[int], turns: SimpleQueue[int]) -> None:
    if sys.platform == "linux" and processors:
        turns.put((turn := turns.get()) + 1)
        os.sched_setaffinity(0, {processors[turn % len(processors)]})
    try:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    except RuntimeError:  # no thread can be started: the pool would print a traceback
        os._exit(FAILED)
    sys.stdout = sys.stderr  # standard output is the command's: code of packages may print here
    signals.ignore(signals.FROM_TERMINAL)
    if sys.platform != "win32":
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, _stop)
        sys.unraisablehook = _ignored
    signals.unblock(signals.ENDING)


def _end_with_parent() -> None:
    """Stop this process when its parent has ended, even if the parent was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _ignored(unraisable: sys.UnraisableHookArgs) -> None:
    """Print an exception that a destructor ignored, except Stop, which comes again."""
    if unraisable.exc_type is not Stop:
        sys.__unraisablehook__(unraisable)


def _stop(number: int, frame: FrameType | None) -> None:
    if sys.platform != "win32":
        # The pool sends it again once another worker has ended, while this one still cleans up.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.alarm(GRACE_SECONDS)  # raise again if Stop is lost, for example in a destructor
    raise Stop(STOPPED)
