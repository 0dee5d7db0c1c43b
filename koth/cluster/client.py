"""``--cluster``: the same work on other machines, with Dask's ``distributed``.

Dask's client gives an executor of ``concurrent.futures``, as processes here are one. Items go to it
in batches, because a task of Dask costs milliseconds. Before a worker gets any, it is asked whether
it is fit (:mod:`koth.cluster.worker_check`). If it is, it offers a resource that is called after
this session, and all tasks want one of these: so none goes to a worker that was refused, or to one
that does something already.
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
from concurrent.futures import CancelledError, Future, wait
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from koth.cluster import worker_check
from koth.ordered_map import LOOK, WorkerError, ordered_map
from schema.errors import KothError, UsageError
from schema.executor import A, B, Mapper
from schema.log_path import printable

if TYPE_CHECKING:
    from referee.tournament import Tournament

LOCAL = "local"
ADDRESS = re.compile(r"(tcp|tls)://\S+:\d+")

BATCH_SECONDS = 1.0
"""What a batch should take."""
BATCH_BYTES = 8 << 20
"""A batch is closed when its items have so many bytes, however little time they take."""
LONGEST = 2 * BATCH_SECONDS
"""After so many seconds a worker gives back what it has not begun of a batch."""
MOST = 10_000
"""How many items a batch has at most."""
AHEAD = 2
"""Batches that are handed out for each worker: the one it is at, and the next."""
KEPT = 8
"""How many times as many may be done, and wait for one before them that is not."""
PATIENCE = 10.0
"""Seconds that scheduler or worker may take to answer."""
GRACE = 30.0
"""Seconds that a cluster may be without a worker: one that was killed is often started again."""


class ClusterError(WorkerError):
    """The cluster does not do the work."""


@contextmanager
def cluster_workers(
    address: str, jobs: int | None, shared: Path | None, tournament: Tournament | None
) -> Iterator[Mapper]:
    """A mapper that works on the cluster at ``address``, or in a new one here if that is "local".

    Logs travel, unless they lie in the folder ``shared``. Raises UsageError for what is no address
    and where Dask is not installed, and ClusterError when there is nobody to do the work.
    """
    from koth.cluster import remote_logs, remote_play

    if address != LOCAL and not ADDRESS.fullmatch(address):
        raise UsageError(f"--cluster: expected tcp://HOST:PORT or 'local', found '{address}'.")
    if address != LOCAL and jobs is not None:
        raise UsageError("--jobs: a cluster has the workers that it has. Leave --jobs out.")
    if shared is not None and not shared.is_dir():
        raise UsageError(f"--shared: expected a folder, found none at {shared}.")
    seen = Path("/") if address == LOCAL else shared and shared.resolve()
    name = f"koth-{secrets.token_hex(8)}"
    with ExitStack() as stack:
        needs = worker_check.Needs(name, worker_check.about(), folder=seen)
        if tournament:
            staged = stack.enter_context(remote_play.staging(tournament, seen))
            hashes = [bot.hash for bot in tournament.bots]
            needs = replace(needs, bots=tournament.bots, hashes=hashes, folder=staged)
            needs = replace(needs, isolation=tournament.isolation)
        stack.enter_context(_quiet())
        client = stack.enter_context(_client(address, jobs))
        session = stack.enter_context(closing(_Session(client, address, needs)))
        each = remote_logs.reading(session.batches, seen)
        if tournament:
            each = remote_play.playing(session.batches, each, tournament, name, staged)
        yield each


@contextmanager
def _client(address: str, jobs: int | None) -> Iterator[Any]:
    """A client of Dask. Raises UsageError and ClusterError."""
    try:
        dask: Any = import_module("distributed")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--cluster: needs Dask, which is not installed ({error.name} is missing). Install it: "
            "pip install 'koth[cluster]'."
        ) from None
    with ExitStack() as stack:
        where: Any = address
        if address == LOCAL:
            config = import_module("dask").config
            stack.enter_context(config.set({"distributed.worker.profile.enabled": False}))
            number = jobs or len(os.sched_getaffinity(0))
            cluster = dask.LocalCluster(
                n_workers=number,
                threads_per_worker=1,
                memory_limit=0,
                host="127.0.0.1",
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                preload=[worker_check.__name__],
            )
            where = stack.enter_context(cluster)
        try:
            client = dask.Client(where, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise ClusterError(
                f"{address}: no scheduler of Dask answers: {error}. `dask scheduler` starts one."
            ) from None
        stack.enter_context(client)
        yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """What Dask has to say in the block is not for people who use Koth."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


class _Session:
    """The client's side: which workers are fit, and what they are to do."""

    def __init__(self, client: Any, address: str, needs: worker_check.Needs) -> None:
        """Wait for workers, and tell of them. Raises ClusterError when there are none."""
        self._client = client
        self._address = address
        self._needs = needs
        self._executor = client.get_executor(pure=False, resources={needs.session: 1})
        self._fit: set[str] = set()
        self._refused: dict[str, str] = {}
        """Why, by address."""
        self._told: set[str] = set()
        self._heard = self._last_fit = self._looked = time.monotonic()
        self._asking = self._begin_to_ask()
        answered = False
        while not (answered and self._fit):
            answered |= bool(wait([self._asking], LOOK).done)
            self.look()
            if answered and self._refused and not self._fit:
                raise ClusterError(f"{address}: none of its workers is fit for this.")
        where = "" if address == LOCAL else f" at {address}"
        more = f", and {len(self._refused)} that are refused" if self._refused else ""
        print(f"koth: workers{where}: {len(self._fit)}{more}.", file=sys.stderr)

    def batches(
        self, function: Callable[[A], B], items: Iterable[A], /
    ) -> Generator[list[B], None, None]:
        """The results of ``function``, batch by batch; a :class:`Batches`."""
        pace = Pace()

        def submit(batch: list[bytes]) -> Future[Done]:
            future: Future[Done] = self._executor.submit(work, pickle.dumps((function, batch)))
            return future

        def requeue(batch: list[bytes], done: Done) -> Iterable[list[bytes]]:
            pace.measured(len(done.results), done.seconds)
            return () if done.error else pace.batches(batch[len(done.results) :])

        def most() -> int:
            return len(self._fit) * (AHEAD if pace.known else 1)

        batches = pace.batches(map(pickle.dumps, items))
        with closing(ordered_map(submit, batches, most, KEPT, requeue, self.look)) as results:
            for done in explained(results, self._address):
                yield done.results
                if done.error:
                    raise done.error

    def look(self) -> None:
        """Ask workers that have come; raise ClusterError when none is left, or the scheduler."""
        now = time.monotonic()
        if now > self._looked + GRACE / 3:  # nobody has asked meanwhile, so that nobody was silent
            self._heard = self._last_fit = now
        self._looked = now
        if self._client.status != "running" or now > self._heard + GRACE:
            raise _gone(self._address)
        for address in self._refused.keys() - self._told:
            told = printable(f"the worker {address} is refused: {self._refused[address]}")
            print(f"koth: {told}", file=sys.stderr)
        self._told |= self._refused.keys()
        if self._fit:
            self._last_fit = now
        elif now > self._last_fit + GRACE:
            raise ClusterError(f"{self._address}: no worker is there. `dask worker` starts some.")
        if self._asking.done() and now > self._asked + LOOK:
            self._asking = self._begin_to_ask()

    def close(self) -> None:
        """Tell the workers that it is over; what they are at is finished and thrown away."""
        if self._client.status == "running":
            with suppress(OSError, TimeoutError):
                self._client.run(
                    worker_check.leave,
                    self._needs.session,
                    workers=[*self._fit],
                    on_error="ignore",
                    callback_timeout=PATIENCE,
                )

    def _begin_to_ask(self) -> Future[None]:
        self._asked = time.monotonic()
        return asyncio.run_coroutine_threadsafe(self._ask(), self._client.loop.asyncio_loop)

    async def _ask(self) -> None:
        """See who is there, and ask those who are new whether they are fit."""
        there = set(await asyncio.wait_for(self._client.nthreads(), PATIENCE))
        self._heard = time.monotonic()
        self._fit &= there
        self._refused = {one: why for one, why in self._refused.items() if one in there}
        await asyncio.gather(*map(self._ask_one, there - self._fit - self._refused.keys()))

    async def _ask_one(self, address: str) -> None:
        asked = self._client.run(
            worker_check.offer, self._needs, workers=[address], on_error="return"
        )
        with suppress(OSError, TimeoutError):  # then it is asked again
            answers = await asyncio.wait_for(asked, PATIENCE)
            found = answers[address]
            if isinstance(found, Exception):  # as where there is no such koth
                wanted = self._needs.about["koth"]
                found = f"expected koth {wanted}, found {type(found).__name__}: {found}"
            if found:
                self._refused[address] = found
            else:
                self._fit.add(address)


def explained(results: Iterator[B], address: str) -> Iterator[B]:
    """``results``, with what Dask raises when it gives up in words. Raises ClusterError."""
    killed: type[Any] = import_module("distributed").KilledWorker
    try:
        yield from results
    except killed as error:
        raise ClusterError(
            f"{address}: {error.allowed_failures + 1} workers died one after the other at the same "
            f"piece of work, the last of them {error.last_worker.address}; their own logs may say "
            "why. What was finished stands."
        ) from None
    except CancelledError:
        raise _gone(address) from None


def _gone(address: str) -> ClusterError:
    return ClusterError(f"{address}: the scheduler is gone; what was finished stands.")


class Pace:
    """How long items take, and how many make a batch."""

    def __init__(self) -> None:
        self._each = 0.0

    @property
    def known(self) -> bool:
        """Whether anything was measured yet."""
        return self._each > 0

    def measured(self, items: int, seconds: float) -> None:
        """Take down how long a batch took."""
        if items:
            latest = max(seconds / items, BATCH_SECONDS / MOST)
            self._each = (self._each + latest) / 2 if self.known else latest

    def batches(self, items: Iterable[bytes]) -> Iterator[list[bytes]]:
        """Items in batches, drawn as they are needed: of one each, as long as nothing is known."""
        batch: list[bytes] = []
        size = 0
        for item in items:
            batch.append(item)
            size += len(item)
            enough = len(batch) * self._each >= BATCH_SECONDS or not self.known
            if enough or size >= BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch


# --- on a worker ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Done:
    """What a worker has made of a batch: of its first items, and an error if it met with one."""

    results: list[Any]
    seconds: float
    error: KothError | None


def work(payload: bytes) -> Done:
    """Work through a batch: Dask's task."""
    return worker_check.work(_work, payload)


def _work(payload: bytes) -> Done:
    function, batch = pickle.loads(payload)
    begun = time.perf_counter()
    results: list[Any] = []
    error: KothError | None = None
    for item in batch:
        try:
            results.append(function(pickle.loads(item)))
        except KothError as found:
            error = found
            break
        if time.perf_counter() - begun > LONGEST:
            break
    return Done(results, time.perf_counter() - begun, error)
