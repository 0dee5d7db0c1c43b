"""Run one bot's script in its scratch folder on Linux, with or without a sandbox.

A workspace is open for as long as the bot's scratch folder is kept: a decision or a match. It
copies the bot's files into the folder, keeps a file for the bot, and runs the bot there.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import cast

from referee.bot import Bot
from referee.outcome import Outcome
from referee.pools import pool
from referee.processes import limits, scratch_dir
from referee.processes.ahead_command import waits
from referee.processes.fork_client import ForkServer
from referee.processes.start_ahead import Ahead
from referee.protocols.base import Seating, Workspace
from referee.sandbox.sandbox import Sandbox, has_cgroup

INNER = "history"
"""Name of the folder that holds a file for a bot."""

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

DESCRIPTORS, OTHER_DESCRIPTORS = 8, 128
"""Descriptors that the referee holds for a sandbox, and a bound on those for all else."""


def open_workspace(bot: Bot, seating: Seating) -> AbstractContextManager[Workspace]:
    """Open a workspace for ``bot`` at the isolation of the match."""
    return in_sandbox(bot, seating) if seating.isolation == "sandbox" else in_folder(bot, seating)


def limits_in_force(isolation: str, time_limit: float) -> dict[str, object]:
    """Return the limits for the evidence."""
    grouped = isolation == "sandbox" and has_cgroup()
    return limits.in_force(isolation, time_limit, grouped)


def ahead_at_once(cold: bool) -> int:
    """Return how many bots to start before their questions.

    That is one more than there are processors, since interpreters also wait while they start. In
    one of several worker processes it is none: the bots of other matches keep the processors busy.
    """
    processes = sys.modules.get("multiprocessing.process")
    if cold or (processes is not None and processes.parent_process() is not None):
        return 0
    return len(os.sched_getaffinity(0)) + 1


def kept_at_once(seating: Seating) -> int:
    """Return how many bots of a match may keep a folder where one per decision would do.

    A sandbox that is kept for such a bot holds descriptors, as idle sandboxes do.
    """
    if seating.isolation != "sandbox":
        return len(seating.bots)
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (most - OTHER_DESCRIPTORS) // DESCRIPTORS - pool.MAX_SERVERS


# --- without a sandbox ---------------------------------------------------------------------------


@contextmanager
def in_folder(bot: Bot, seating: Seating) -> Iterator[Workspace]:
    """Open a workspace in a new folder of this machine."""
    with scratch_dir.folder() as folder, ExitStack() as stack:
        home = folder / bot.name
        with scratch_dir.writing(folder.parent):
            bot.install(home)
        workspace = FolderWorkspace(bot, home, seating, stack)
        stack.callback(workspace.end_ahead)
        yield workspace


class FolderWorkspace:
    """A workspace in a folder of this machine; ``stack`` closes with it."""

    def __init__(self, bot: Bot, home: Path, seating: Seating, stack: ExitStack) -> None:
        self.bot, self.home, self.stack = bot, home, stack
        self.time_limit, self.cold = seating.time_limit, seating.cold
        self.private: tuple[Path, int] | None = None
        """A folder for files, under a name that no bot can guess, and its descriptor."""
        self.ahead = Ahead(bot, seating.time_limit)
        self.server: ForkServer | None = None
        """The server of the process that was started ahead."""

    @contextmanager
    def file(self, name: str, content: bytes) -> Iterator[tuple[int, str]]:
        """See :meth:`Workspace.file`. Raises RefereeError if the file cannot be written."""
        with scratch_dir.writing(self.home.parent.parent):
            private, holder, folder = self.new_folder()
        try:
            with (
                scratch_dir.writing(self.home.parent.parent),
                open(os.open(name, NEW_FILE, 0o644, dir_fd=folder), "wb") as file,  # noqa: PTH123
            ):
                file.write(content)
            yield folder, f"{private}/{INNER}/{name}"
        finally:
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
                os.rmdir(INNER, dir_fd=holder)  # succeeds unless the bot left something else
            os.close(folder)
            scratch_dir.empty(holder)

    def new_folder(self) -> tuple[Path, int, int]:
        """Return the private folder, its descriptor, and that of a new folder in it.

        A bot may clean up the folder around its file. Two levels down, it finds no other file.
        """
        if self.private is not None:
            with suppress(OSError):  # the bot may have left something under this name
                return *self.private, scratch_dir.make(INNER, self.private[1])
        path = self.stack.enter_context(scratch_dir.folder())
        self.private = path, self.stack.enter_context(scratch_dir.opened(path))
        return *self.private, scratch_dir.make(INNER, self.private[1])

    def run(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """See :meth:`Workspace.run`. Raises RefereeError if there is no space for its files."""
        scratch_dir.check_space(self.home)
        outcome = self.ahead.finish(bot_seed, arguments)
        self.end_ahead()
        if outcome is None:
            with pool.lent(self.bot, self.cold) as server:
                outcome = server.decide(self.bot, self.home, bot_seed, arguments, self.time_limit)
        scratch_dir.check_space(self.home)  # without space a failure may not be the bot's
        return outcome

    def start_ahead(self, bot_seed: str) -> None:
        """See :meth:`Workspace.start_ahead`."""
        if self.ahead.possible and waits(self.bot, self.home):
            self.server = pool.take(self.bot, "process", cold=True)
            self.ahead.start(self.server, self.home, bot_seed)

    def end_ahead(self) -> None:
        """End the process that was started ahead, if any, and give its server back."""
        self.ahead.abandon()
        if self.server is not None:
            pool.give_back(self.server)
            self.server = None


# --- sandboxes -----------------------------------------------------------------------------------


@contextmanager
def in_sandbox(bot: Bot, seating: Seating) -> Iterator[Workspace]:
    """Open a workspace in a sandbox."""
    workspace = SandboxWorkspace(bot, seating)
    try:
        yield workspace
    finally:
        workspace.ahead.abandon()
        pool.give_back(workspace.sandbox)


class SandboxWorkspace:
    """A workspace in a sandbox. If the sandbox ends, a new one has the bot's original files."""

    def __init__(self, bot: Bot, seating: Seating) -> None:
        self.bot, self.seating = bot, seating
        self.sandbox = self.take()
        self.private = os.urandom(8).hex()
        """The name of a folder for files, which no bot can guess."""
        self.holds_file = False
        self.ahead = Ahead(bot, seating.time_limit)

    def take(self) -> Sandbox:
        """Take a sandbox from the pool. Raises RefereeError if none can be built."""
        sandbox = cast(Sandbox, pool.take(self.bot, "sandbox", self.seating.cold))
        sandbox.remount_after_fork = self.seating.scratch == "decision"
        return sandbox

    def live(self) -> Sandbox:
        """Return the sandbox, or a new one if it has ended."""
        if not self.sandbox.is_alive():
            pool.give_back(self.sandbox)
            self.sandbox = self.take()
        return self.sandbox

    @contextmanager
    def file(self, name: str, content: bytes) -> Iterator[tuple[int, str]]:
        """See :meth:`Workspace.file`."""
        with ExitStack() as stack:
            try:
                file = stack.enter_context(self.live().file(self.private, name, content))
            except OSError:  # the bot has left no space, or no permission
                self.sandbox.gone = True
                file = stack.enter_context(self.live().file(self.private, name, content))
            self.holds_file = True
            try:
                yield file
            finally:
                self.holds_file = False

    def run(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """See :meth:`Workspace.run`."""
        if (outcome := self.ahead.finish(bot_seed, arguments)) is not None:
            return outcome
        sandbox = self.sandbox if self.holds_file else self.live()  # a new one lacks the file
        limit = self.seating.time_limit
        return sandbox.decide(self.bot, sandbox.home, bot_seed, arguments, limit)

    def start_ahead(self, bot_seed: str) -> None:
        """See :meth:`Workspace.start_ahead`."""
        sandbox = self.sandbox
        if not self.ahead.possible or not sandbox.is_alive():
            return
        if waits(self.bot, sandbox.scratch / self.bot.name):
            self.ahead.start(sandbox, sandbox.home, bot_seed)
