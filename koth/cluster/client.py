"""The client of a cluster: give work to Dask's workers, and collect the results in order.

1. :func:`cluster_workers` connects to a scheduler, or starts a cluster on this machine.
2. A :class:`Session` checks every worker (:mod:`koth.cluster.worker_check`). An accepted worker
   offers a Dask resource with the session's name. Every task needs one such resource, so that no
   task runs on a refused worker, and a worker runs one task at a time.
3. Items travel in batches (:mod:`koth.cluster.batches`).
4. :mod:`koth.cluster.remote_logs` and :mod:`koth.cluster.remote_play` turn logs and matches into
   items that can travel, and write the results of matches.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import re
import secrets
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from koth.cluster import remote_logs, remote_play, worker_check
from koth.cluster.batches import BATCHES_PER_WORKER, BatchResult, BatchSizer, run_batch
from koth.ordered_map import CHECK_SECONDS, WorkerError, ordered_map
from schema.errors import UsageError
from schema.executor import A, B, Mapper
from schema.log_path import printable

if TYPE_CHECKING:
    from referee.tournament import Tournament

LOCAL = "local"
ADDRESS = re.compile(r"(tcp|tls)://\S+:\d+")

MAX_BATCH_RATIO = 2
"""Multiple of the planned time after which a worker returns the unstarted rest of a batch."""
AHEAD = 8
"""Factor by which finished batches may wait for an unfinished one before them."""
REPLY_SECONDS = 10.0
"""Seconds that the scheduler or a worker has for an answer."""
GRACE_SECONDS = 30.0
"""Seconds that a cluster may be without workers, because killed workers are often restarted."""


class ClusterError(WorkerError):
    """Raised when the cluster cannot do the work."""


def check_options(address: str, jobs: int | None, shared: Path | None) -> None:
    """Raise UsageError for wrong options."""
    if address != LOCAL and not ADDRESS.fullmatch(address):
        raise UsageError(f"--cluster: expected tcp://HOST:PORT or 'local', found '{address}'.")
    if address != LOCAL and jobs is not None:
        raise UsageError("--jobs: the cluster decides its number of workers. Leave --jobs out.")
    if shared is not None and not shared.is_dir():
        raise UsageError(f"--shared: expected a folder, found none at {shared}.")


@contextmanager
def cluster_workers(
    address: str, jobs: int | None, shared: Path | None, tournament: Tournament | None
) -> Iterator[Mapper]:
    """Yield a mapper that works on the cluster at ``address``, or on a new one if it is "local".

    Logs are sent as bytes, except those in the folder ``shared``. The options must have passed
    :func:`check_options`. Raises UsageError if Dask is missing, and ClusterError if no worker is
    available.
    """
    visible = Path("/") if address == LOCAL else shared and shared.resolve()
    name = f"koth-{secrets.token_hex(8)}"
    with ExitStack() as stack:
        needs = worker_check.Needs(name, worker_check.environment(), folder=visible)
        if tournament:
            staging = stack.enter_context(remote_play.staging_folder(tournament, visible))
            hashes = [bot.hash for bot in tournament.bots]
            needs = replace(
                needs,
                bots=tournament.bots,
                hashes=hashes,
                isolation=tournament.isolation,
                folder=staging,
            )
        stack.enter_context(_quiet())
        client = stack.enter_context(_client(address, jobs))
        session = stack.enter_context(closing(Session(client, address, needs)))
        mapper = remote_logs.mapper(session.batches, visible)
        if tournament:
            mapper = remote_play.mapper(session.batches, mapper, tournament, name, staging)
        yield mapper


@contextmanager
def _client(address: str, jobs: int | None) -> Iterator[Any]:
    """Yield a Dask client. Raises UsageError if Dask is missing, ClusterError if nobody answers."""
    try:
        dask: Any = import_module("distributed")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--cluster: needs Dask, which is not installed ({error.name} is missing). Install it: "
            "pip install './koth[cluster]', where ./koth is the folder that you cloned."
        ) from None
    with ExitStack() as stack:
        target: Any = address
        if address == LOCAL:
            target = stack.enter_context(_local_cluster(dask, jobs))
        try:
            client = dask.Client(target, timeout=REPLY_SECONDS, set_as_default=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise ClusterError(
                f"{address}: no scheduler of Dask answers: {error}. `dask scheduler` starts one."
            ) from None
        stack.enter_context(client)
        yield client


@contextmanager
def _local_cluster(dask: Any, jobs: int | None) -> Iterator[Any]:
    """Yield a new cluster on this machine, with one worker per core or ``jobs`` workers.

    Raises ClusterError if it does not start.
    """
    if jobs is None and sys.platform == "linux":  # Dask counts cores that this process cannot use
        jobs = len(os.sched_getaffinity(0))
    config = import_module("dask").config
    with (
        TemporaryDirectory(prefix="koth-") as scratch,  # Dask leaves a folder in it
        config.set({"distributed.worker.profile.enabled": False, "temporary-directory": scratch}),
        ThreadPoolExecutor(1, initializer=worker_check.block_interrupts) as thread,
    ):
        starting = thread.submit(
            dask.LocalCluster,
            n_workers=jobs,
            threads_per_worker=1,
            memory_limit=0,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            preload=[worker_check.__name__],
        )
        try:
            cluster = starting.result()
        except (OSError, RuntimeError) as error:  # for example if a worker is killed
            reason = str(error).rstrip(".")
            raise ClusterError(f"{LOCAL}: the workers do not start: {reason}.") from None
        except KeyboardInterrupt:  # Dask cannot close workers whose start is interrupted
            with suppress(OSError, RuntimeError):
                starting.result().close()
            raise
        with cluster:
            yield cluster


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide Dask's warnings and log messages."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


class Session:
    """The workers that one command uses, from their check to their release."""

    def __init__(self, client: Any, address: str, needs: worker_check.Needs) -> None:
        """Wait for the first accepted worker. Raises ClusterError if no worker is accepted."""
        self._client = client
        self._address = address
        self._needs = needs
        self._accepted: set[str] = set()
        self._sizers: dict[Callable[..., Any], BatchSizer] = {}
        """By function: a tournament may be many rounds, whose matches take as long."""
        self._refused: dict[str, str] = {}
        """Reasons by the worker's address."""
        self._reported: set[str] = set()
        """Addresses of refused workers that were printed."""
        self._scheduler_seen = self._worker_seen = self._checked = time.monotonic()
        self._poll = self._start_poll()
        polled = False
        while not (polled and self._accepted):
            polled |= bool(wait([self._poll], CHECK_SECONDS).done)
            self.check()
            if polled and self._refused and not self._accepted:
                raise ClusterError(f"{address}: all workers are refused, for the reasons above.")
        where = "" if address == LOCAL else f" at {address}"
        refused = f"; {len(self._refused)} refused" if self._refused else ""
        print(f"koth: workers{where}: {len(self._accepted)}{refused}.", file=sys.stderr)

    def batches(
        self, function: Callable[[A], B], items: Iterable[A], /
    ) -> Generator[list[B], None, None]:
        """Yield the results of ``function`` batch by batch; implements BatchMapper."""
        sizer = self._sizers.setdefault(function, BatchSizer(lambda: len(self._accepted)))

        def submit(batch: list[bytes]) -> Future[BatchResult]:
            return self._submit(pickle.dumps((function, batch, MAX_BATCH_RATIO * sizer.seconds)))

        def requeue(batch: list[bytes], result: BatchResult) -> Iterable[list[bytes]]:
            sizer.add(len(result.results), result.seconds)
            return () if result.error else sizer.batches(batch[len(result.results) :])

        def max_running() -> int:
            return len(self._accepted) * (BATCHES_PER_WORKER if sizer.measured else 1)

        batches = sizer.batches(map(pickle.dumps, items))
        results = ordered_map(submit, batches, max_running, AHEAD, requeue, self.check)
        with closing(results):
            for result in translate_errors(results, self._address):
                yield result.results
                if result.error:
                    raise result.error

    def _submit(self, payload: bytes) -> Future[BatchResult]:
        """Start a task; to cancel the future cancels the task.

        Dask's own executor takes a result for an error if its worker dies just after sending it.
        """
        task = self._client.submit(
            run_batch, payload, pure=False, resources={self._needs.session: 1}
        )

        async def result() -> BatchResult:
            return cast(BatchResult, await task)

        def cancel(future: Future[BatchResult]) -> None:
            if future.cancelled() and not task.cancelled():
                task.cancel()

        future = asyncio.run_coroutine_threadsafe(result(), self._client.loop.asyncio_loop)
        future.add_done_callback(cancel)
        return future

    def check(self) -> None:
        """Start a poll for new workers. Raises ClusterError if scheduler or workers are lost."""
        now = time.monotonic()
        if now > self._checked + GRACE_SECONDS / 3:  # this process was busy and did not poll
            self._scheduler_seen = self._worker_seen = now
        self._checked = now
        if self._client.status != "running" or now > self._scheduler_seen + GRACE_SECONDS:
            raise _scheduler_lost(self._address)
        for address in self._refused.keys() - self._reported:
            reason = self._refused[address]
            print(f"koth: {printable(f'worker {address} is refused: {reason}')}", file=sys.stderr)
        self._reported |= self._refused.keys()
        if self._accepted:
            self._worker_seen = now
        elif now > self._worker_seen + GRACE_SECONDS:
            raise ClusterError(f"{self._address}: no worker found. `dask worker` starts some.")
        if self._poll.done() and now > self._poll_started + CHECK_SECONDS:
            self._poll = self._start_poll()

    def close(self) -> None:
        """Release the workers; the results of running batches are discarded."""
        if self._client.status == "running":
            with suppress(OSError, TimeoutError):
                self._client.run(
                    worker_check.release,
                    self._needs.session,
                    workers=[*self._accepted],
                    on_error="ignore",
                    callback_timeout=REPLY_SECONDS,
                )

    def _start_poll(self) -> Future[None]:
        self._poll_started = time.monotonic()
        return asyncio.run_coroutine_threadsafe(
            self._check_new_workers(), self._client.loop.asyncio_loop
        )

    async def _check_new_workers(self) -> None:
        """List the workers, and check those that are new."""
        workers = set(await asyncio.wait_for(self._client.nthreads(), REPLY_SECONDS))
        self._scheduler_seen = time.monotonic()
        self._accepted &= workers
        self._refused = {
            address: self._refused[address] for address in self._refused.keys() & workers
        }
        await asyncio.gather(
            *map(self._check_worker, workers - self._accepted - self._refused.keys())
        )

    async def _check_worker(self, address: str) -> None:
        question = self._client.run(
            worker_check.accept, self._needs, workers=[address], on_error="return"
        )
        with suppress(OSError, TimeoutError):  # the next poll asks again
            answers = await asyncio.wait_for(question, REPLY_SECONDS)
            reason = answers[address]
            if isinstance(reason, Exception):  # for example if koth is not installed there
                expected = self._needs.environment["koth"]
                reason = f"expected koth {expected}, found {type(reason).__name__}: {reason}"
            if reason:
                self._refused[address] = reason
            else:
                self._accepted.add(address)


def translate_errors(results: Iterator[B], address: str) -> Iterator[B]:
    """Yield ``results``; raise ClusterError, with a message for people, for Dask's errors."""
    dask: Any = import_module("distributed")
    killed: type[Any] = dask.KilledWorker
    closed: type[Any] = dask.comm.CommClosedError  # in the moment in which a result is fetched
    try:
        yield from results
    except killed as error:
        raise ClusterError(
            f"{address}: {error.allowed_failures + 1} workers died one after the other at the same "
            f"task, the last of them {error.last_worker.address}; their own logs may show the "
            "reason. Finished work is kept."
        ) from None
    except (CancelledError, closed):
        raise _scheduler_lost(address) from None


def _scheduler_lost(address: str) -> ClusterError:
    return ClusterError(f"{address}: the scheduler has stopped; finished work is kept.")
