"""Whether a worker of a cluster is fit for what a client wants, and what it keeps for it.

All that decides what a log holds has to be the same there: Koth and the games file by file, Python,
and the kind of machine. Bots come as files, and their hashes must be those that the tournament's
log holds; the programs that run them have to be there, and the isolation that is asked for.
"""

from __future__ import annotations

import platform
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from schema import bundle, registry, seal
from schema.executor import A, B

if TYPE_CHECKING:
    from distributed import Worker

    from referee.bot import Bot

PARTS = ("schema", "games", "referee", "replay", "audit", "koth")
SOURCES = (".py", ".sql", ".toml")
"""What decides what a log holds, and what is said of it."""

WORK_THREAD = ThreadPoolExecutor(1)
"""The one thread of a worker that does all its work: what keeps bots ready is not made for several,
and ends with the thread that has started it."""

IDLE = 60.0
"""Seconds without work after which nothing is kept ready: the client may have been killed."""

_resting: threading.Timer | None = None

given: dict[str, Sequence[Bot]] = {}
"""On a worker: the bots of each session."""


@dataclass(frozen=True)
class Needs:
    """What a client needs of a worker."""

    session: str
    about: Mapping[str, str]
    """What :func:`about` says of the client."""
    bots: Sequence[Bot] = ()
    hashes: Sequence[str] = ()
    """Of the bots, as the tournament's log holds them."""
    isolation: str = ""
    python: str = sys.executable
    """The client's interpreter. A bot that it runs is run by the worker's own."""
    folder: Path | None = None
    """A folder that has to be there, too."""


@cache
def about() -> Mapping[str, str]:
    """What has to be the same on client and worker, by what it is called."""
    packages = {card.package for card in registry.cards()[0] if not card.built_in}
    sources = {
        f"{name}/{path.relative_to(folder)}": path.read_bytes()
        for name in (*PARTS, *sorted(packages))
        if isinstance(folder := files(name), Path)
        for path in folder.rglob("*")
        if path.suffix in SOURCES
    }
    return {
        "koth": f"{version('koth')} with the sources {seal.files_hash(sources)[:16]}…",
        "games": ", ".join(registry.names()),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
    }


def unavailable_reason(needs: Needs) -> Iterator[str]:
    """What this machine lacks, each with what was expected and what was found."""
    for what, wanted in needs.about.items():
        if wanted != (found := about().get(what, "none")):
            yield f"expected {what} {wanted}, found {found}"
    for bot, wanted in zip(needs.bots, needs.hashes, strict=True):
        if wanted != (found := replace(bot).hash):  # not the one that came with it
            yield f"expected the bot {bot.name} with the hash {wanted[:16]}…, found {found[:16]}…"
        for program in bot.programs:
            if program != needs.python and not shutil.which(program):
                yield f"expected {program} for the bot {bot.name}, found none"
        for path in bot.binds:
            if not Path(path).exists():
                yield f"expected {path} for the bot {bot.name} (--bind), found nothing"
    if needs.isolation == "sandbox":
        from referee.sandbox import sandbox

        if told := sandbox.unavailable_reason():
            yield f"expected a sandbox for bots, found none: {told}"
    if needs.folder and not needs.folder.is_dir():
        yield f"expected the folder {needs.folder}, found none"


# --- on a worker, called by the client -----------------------------------------------------------


async def offer(needs: Needs, dask_worker: Worker) -> str:
    """Take up work for a session, if this worker is fit; else say what it lacks."""
    if told := "; ".join(unavailable_reason(needs)):
        return f"{told} ({platform.node()})"
    given[needs.session] = [
        replace(bot, command=(sys.executable, *bot.command[1:]))
        if bot.command[0] == needs.python
        else bot
        for bot in needs.bots
    ]
    bundle.shared_bundle.cache_clear()
    await dask_worker.set_resources(**{needs.session: 1})
    status = dask_worker.status
    if status.name == "running":  # a change tells the scheduler to look for work that waits
        dask_worker.status = type(status)["paused"]
        dask_worker.status = status
    return ""


def dask_setup(worker: Worker) -> None:
    """Dask's hook: a worker of ``--cluster local`` leaves it to the client what an interrupt is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def leave(session: str) -> None:
    """Forget a session; nothing that was kept ready for its bots is left."""
    if given.pop(session, None):
        WORK_THREAD.submit(_rest)


def work(function: Callable[[A], B], argument: A) -> B:
    """Do something in the thread for work. After a while without any, nothing is kept ready."""
    global _resting
    if _resting:
        _resting.cancel()
    try:
        return WORK_THREAD.submit(function, argument).result()
    finally:
        if given:
            _resting = threading.Timer(IDLE, WORK_THREAD.submit, [_rest])
            _resting.daemon = True
            _resting.start()


def _rest() -> None:
    from referee.pools import class_helpers, sandbox_pool, warm_pool

    warm_pool.end()
    sandbox_pool.end()
    class_helpers.close()
