"""Where a script of a match decides: in processes as they are, or in a sandbox.

A place is one bot's. It is opened for a match or for a decision, as long as the bot's scratch
folder lives, and does what a decision takes: it keeps a file for the bot, and runs it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from referee.bot import Bot
from referee.pools import sandbox_pool, warm_pool
from referee.processes import scratch_dir
from referee.processes.process import Outcome
from referee.protocols.base import Seating
from referee.sandbox.sandbox import Sandbox

INNER = "history"
"""The name of the folder that a file for a bot is in."""

FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class SandboxLost(Exception):
    """A sandbox was gone before the bot was begun, which is not the bot's fault."""


class Workspace(Protocol):
    """One bot's scratch folder, with its files in it."""

    def file(self, name: str, content: bytes) -> AbstractContextManager[tuple[int, str]]:
        """A new file in a folder of its own: that folder, open, and the file's path for the bot.

        The path is the same each time, unless something else is found there.
        """

    def run(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """Run the bot once, with these arguments. Raises Lost."""


def opened(bot: Bot, seating: Seating) -> AbstractContextManager[Workspace]:
    """A place for ``bot``, at the match's level of isolation."""
    return in_sandbox(bot, seating) if seating.isolation == "sandbox" else in_folder(bot, seating)


# --- processes -----------------------------------------------------------------------------------


@contextmanager
def in_folder(bot: Bot, seating: Seating) -> Iterator[Workspace]:
    """A new folder of this machine."""
    with scratch_dir.folder() as folder, ExitStack() as stack:
        home = folder / bot.name
        with scratch_dir.writing(folder.parent):
            bot.install(home)
        yield Folder(bot, home, seating, stack)


class Folder:
    """A bot in a folder of this machine, as long as ``stack`` is open."""

    def __init__(self, bot: Bot, home: Path, seating: Seating, stack: ExitStack) -> None:
        self.bot, self.home, self.stack = bot, home, stack
        self.time_limit, self.cold = seating.time_limit, seating.cold
        self.private: tuple[Path, int] | None = None
        """A folder for files, which nobody can guess, open."""

    @contextmanager
    def file(self, name: str, content: bytes) -> Iterator[tuple[int, str]]:
        """A file in a folder that no other bot can guess, with nothing else in it."""
        with scratch_dir.writing(self.home.parent.parent):
            private, holder, folder = self.new_folder()
        try:
            with (
                scratch_dir.writing(self.home.parent.parent),
                open(os.open(name, FRESH, 0o644, dir_fd=folder), "wb") as file,  # noqa: PTH123
            ):
                file.write(content)
            yield folder, f"{private}/{INNER}/{name}"
        finally:
            os.close(folder)
            scratch_dir.empty(holder)

    def new_folder(self) -> tuple[Path, int, int]:
        """A private folder, open, and a new folder in it, open.

        Two folders deep, a bot that tidies up around its file meets nobody else's files.
        """
        if self.private is not None:
            with suppress(OSError):  # something may have been left there
                return *self.private, scratch_dir.make(INNER, self.private[1])
        path = self.stack.enter_context(scratch_dir.folder())
        self.private = path, self.stack.enter_context(scratch_dir.held(path))
        return *self.private, scratch_dir.make(INNER, self.private[1])

    def run(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """Run the bot, warm if possible. Raises RefereeError when it has no room for its files."""
        scratch_dir.check_room(self.home)
        outcome = self.decide(bot_seed, arguments)
        scratch_dir.check_room(self.home)  # else its failure may be none of its own
        return outcome

    def decide(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """Run the bot in its folder as it is."""
        outcome = None
        if not self.cold:
            outcome = warm_pool.run(self.bot, self.home, bot_seed, arguments, self.time_limit)
        if outcome is None:
            command = [*self.bot.command, *arguments]
            outcome = warm_pool.start(command, self.home, bot_seed, self.time_limit)
        return outcome


# --- sandboxes -----------------------------------------------------------------------------------


@contextmanager
def in_sandbox(bot: Bot, seating: Seating) -> Iterator[Workspace]:
    """A sandbox for as long as this is open."""
    room = Room(bot, seating)
    try:
        yield room
    finally:
        sandbox_pool.give_back(room.sandbox)


class Room:
    """A bot in a sandbox; in another one, with its files as they were, if that should end."""

    def __init__(self, bot: Bot, seating: Seating) -> None:
        self.bot = bot
        self.time_limit, self.cold = seating.time_limit, seating.cold
        self.once = seating.scratch == "decision"
        self.sandbox, self.home = sandbox_pool.take(bot, self.cold, self.once)
        self.private = os.urandom(8).hex()
        """The name of a folder for files, which no other bot can guess."""

    def ready(self) -> Sandbox:
        """The sandbox, which is there."""
        if not self.sandbox.alive():
            sandbox_pool.give_back(self.sandbox)
            self.sandbox, self.home = sandbox_pool.take(self.bot, self.cold, self.once)
        return self.sandbox

    @contextmanager
    def file(self, name: str, content: bytes) -> Iterator[tuple[int, str]]:
        """A file in the sandbox."""
        with ExitStack() as stack:
            try:
                found = stack.enter_context(self.ready().file(self.private, name, content))
            except OSError:  # its bot has left no room there, or no rights
                self.sandbox.gone = True
                found = stack.enter_context(self.ready().file(self.private, name, content))
            yield found

    def run(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """Run the bot, warm if possible."""
        sandbox, outcome = self.ready(), None
        if sandbox.script:
            outcome = sandbox.run(self.home, bot_seed, arguments, self.time_limit)
        if outcome is None and not sandbox.gone:
            command = [*self.bot.command, *arguments]
            outcome = sandbox.start(self.home, bot_seed, command, self.time_limit)
        if outcome is None:
            raise SandboxLost
        return outcome
