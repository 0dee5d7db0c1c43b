"""Check that a worker can do the work of a client, and keep its bots for the session.

A worker must produce the same logs as the client. So it needs the same files of Koth and of the
games, the same version of Python, and the same kind of machine. Bots are sent as files, and their
hashes must be those in the tournament's log. The programs that run them and the chosen isolation
must be available.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING

from koth import signals
from referee.errors import RefereeError
from schema import bundle, registry, seal
from schema.executor import A, B

if TYPE_CHECKING:
    from distributed import Worker

    from referee.bot import Bot

PARTS = ("schema", "games", "referee", "replay", "audit", "report", "koth")
SOURCES = (".py", ".sql", ".toml")
"""Suffixes of the files that decide the content of logs and of reports."""

WORK_THREAD = ThreadPoolExecutor(1)
"""The worker's only thread for work: the pools of bot processes belong to a single thread, and end
with it."""

IDLE_SECONDS = 60.0
"""Seconds without work after which the pools are closed: the client may have been killed."""

_idle_timer: threading.Timer | None = None

session_bots: dict[str, Sequence[Bot]] = {}
"""On a worker: the bots by session."""


@dataclass(frozen=True)
class Needs:
    """The requirements of a client."""

    session: str
    environment: Mapping[str, str]
    """The client's :func:`environment`."""
    bots: Sequence[Bot] = ()
    hashes: Sequence[str] = ()
    """Hashes of the bots in the tournament's log."""
    isolation: str = ""
    python: str = sys.executable
    """The client's interpreter; a worker replaces it with its own in the commands of bots."""
    folder: Path | None = None
    """A folder that must exist on the worker."""


@cache
def environment() -> Mapping[str, str]:
    """Return the properties that must be equal on client and worker, by name."""
    packages = {card.name: card.package for card in registry.cards()[0] if not card.built_in}
    games = [
        f"{name} (sources {_hash({package, package.partition('.')[0]})})"  # which may share code
        if (package := packages.get(name))
        else name
        for name in registry.names()
    ]
    return {
        "koth": f"{version('koth')} with the sources {_hash(PARTS)}",
        "games": ", ".join(games),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
    }


def _hash(packages: Iterable[str]) -> str:
    """Return the beginning of a hash over the sources of ``packages``, in any order."""
    sources = {
        f"{name}/{path.relative_to(folder)}": path.read_bytes()
        for name in packages
        if isinstance(folder := files(name), Path)
        for path in folder.rglob("*")
        if path.suffix in SOURCES
    }
    return f"{seal.bot_hash(sources)[:16]}…"


def unavailable_reason(needs: Needs) -> Iterator[str]:
    """Yield one message for each requirement that this machine does not meet."""
    for name, expected in needs.environment.items():
        if expected != (actual := environment().get(name, "none")):
            yield f"expected {name} {expected}, found {actual}"
    for bot, expected in zip(needs.bots, needs.hashes, strict=True):
        if expected != (actual := replace(bot).hash):  # computed here, not the hash that was sent
            found = f"found {actual[:16]}…"
            yield f"expected the bot {bot.name} with the hash {expected[:16]}…, {found}"
        for program in bot.programs:
            if program != needs.python and not shutil.which(program):
                yield f"expected {program} for the bot {bot.name}, found none"
        for path in bot.binds:
            if not Path(path).exists():
                yield f"expected {path} for the bot {bot.name} (--bind), found nothing"
    if needs.isolation == "sandbox":
        from referee.sandbox import sandbox

        try:
            reason = sandbox.unavailable_reason()
        except RefereeError as error:
            reason = str(error).rstrip(".")
        if reason:
            yield f"expected a sandbox for bots, found none: {reason}"
    if needs.folder and not needs.folder.is_dir():
        yield f"expected the folder {needs.folder}, found none"


def block_interrupts() -> None:
    """Block signals in this thread, and in the workers of ``--cluster local`` that it starts."""
    if sys.platform != "win32":
        resource_tracker.ensure_running()  # its start would unblock SIGINT
    signals.block(signals.FROM_TERMINAL)


# --- on a worker, called by the client -----------------------------------------------------------


async def accept(needs: Needs, dask_worker: Worker) -> str:
    """Join a session and return an empty string, or return the reason why this is impossible."""
    if reason := "; ".join(unavailable_reason(needs)):
        return f"{reason} ({platform.node()})"
    session_bots[needs.session] = [
        replace(bot, command=(sys.executable, *bot.command[1:]))
        if bot.command[0] == needs.python
        else bot
        for bot in needs.bots
    ]
    bundle.shared_bundle.cache_clear()
    await dask_worker.set_resources(**{needs.session: 1})
    status = dask_worker.status
    if status.name == "running":  # a change makes the scheduler assign waiting tasks
        dask_worker.status = type(status)["paused"]
        dask_worker.status = status
    return ""


def dask_setup(worker: Worker) -> None:
    """Set up a worker of ``--cluster local``, whose name is a number. A Dask hook.

    It ignores Ctrl-C, which the client handles and which was blocked until now. Its work, and its
    bots, have one processor, because a referee and a bot that take turns are slower on two.
    """
    signals.ignore(signals.FROM_TERMINAL)
    signals.unblock(signals.FROM_TERMINAL)
    if sys.platform == "linux":
        processors = sorted(os.sched_getaffinity(0))
        processor = processors[int(worker.name) % len(processors)]
        WORK_THREAD.submit(os.sched_setaffinity, 0, {processor})


def release(session: str) -> None:
    """Forget a session, and close the pools of its bots' processes."""
    if session_bots.pop(session, None):
        WORK_THREAD.submit(_close_pools)


def run(function: Callable[[A], B], argument: A) -> B:
    """Call a function in the work thread. The pools are closed after ``IDLE_SECONDS``."""
    global _idle_timer
    if _idle_timer:
        _idle_timer.cancel()
    try:
        return WORK_THREAD.submit(function, argument).result()
    finally:
        if session_bots:
            _idle_timer = threading.Timer(IDLE_SECONDS, WORK_THREAD.submit, [_close_pools])
            _idle_timer.daemon = True
            _idle_timer.start()


def _close_pools() -> None:
    from referee.pools import pool

    pool.close()
