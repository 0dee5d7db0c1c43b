"""The sandbox: a bot's processes between walls of the kernel's, built by bubblewrap (bwrap).

The walls are in :mod:`referee.walls`. The first process between them is a helper
(:mod:`referee.helper`), so that what a sandbox costs is paid once. The bot's processes are killed
after each decision. Its room, the one folder that can be written in, is emptied by the referee,
through a descriptor that the helper hands out.

docs/isolation.md says what all this holds, and what it does not.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from referee import cgroup, limits, process, scratch, walls
from referee.bots import Bot
from referee.helper import MOMENT, Helper
from referee.process import Attached
from referee.processor_time import Meter, number_of
from referee.protocol import NO_SEED, environment

MANY = 1000
"""So many files in a room are not removed one by one: the sandbox goes instead."""

FIRST_FORK = 2
"""The number of the process that a new sandbox's first one forks."""

SPARE = 16
"""Processes of the sandbox that are not the bot's: those of bwrap, and the helper."""


class Sandbox(Helper):
    """A helper in a sandbox of its own. Without a script it can still start the bot's command."""

    place = "sandbox"
    folder = walls.TOOLS

    def __init__(self, bot: Bot, script: str, settings: Mapping[str, str]) -> None:
        """Build it. Raises OSError or ValueError when that is not possible."""
        self.room = self.first = self.runs = -1
        self.requests = self.inode = 0
        self.bot, self.script = bot, script
        self.made_for: tuple[object, ...] = ()
        self.there: set[str] = set()
        self.group = None
        if cgroup.usable():
            self.group = cgroup.Group(limits.MEMORY, limits.PROCESSES + SPARE)
        try:
            with walls.forbidding() as self.inherited:
                super().__init__(bot, script, settings)
        except BaseException:
            if self.group is not None:
                self.group.end()
            raise

    def command(
        self, bot: Bot, script: str, channel: int, settings: Mapping[str, str]
    ) -> Sequence[str]:
        """What is started: the helper's own command, with the walls around it."""
        program, *inside = super().command(bot, script, channel, settings)
        inside.insert(0, walls.own_python(program) or program)
        words = [*walls.around(bot, settings, self.inherited), *inside]
        return words if self.group is None else self.group.entering(words)

    def listen(self) -> bytes:
        """What it says next, and descriptors with it: of a fork, or of the room and of itself."""
        said, descriptors, *_ = socket.recv_fds(self.channel, 64, 2)
        if len(descriptors) == 1:
            if self.runs >= 0:
                os.close(self.runs)
            [self.runs] = descriptors
        elif descriptors:
            self.room, self.first = descriptors
        return said

    def heed(self, word: bytes) -> None:
        """It has said that it is the first."""

    def ask(self, request: bytes, *pipes: int) -> None:
        """Send a request, and count it."""
        self.requests += 1
        hand_over(*pipes)  # as /dev/stdout they can be opened
        super().ask(request, *pipes)

    def kill(self) -> None:
        """Kill the fork; what it started goes with it."""
        if self.runs >= 0 and not self.ended:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.runs, signal.SIGKILL)

    def alive(self) -> bool:
        """Whether it can be used."""
        if not self.gone and self.events.poll(0):
            self.hear()
        return not self.gone

    def attached(self, home: str, bot_seed: str, command: Sequence[str]) -> Attached:
        """Start ``command``, to go on as long as it is used. Raises OSError or ValueError."""
        request = self.beginning(home, bot_seed, None, command)
        self.await_fork()  # it is the descriptor of this fork that is lent
        pipes: list[int] = []
        try:
            for _ in range(3):
                pipes += os.pipe()
            theirs, messages, lines, their_lines, errors, their_errors = pipes
            self.ask(request, their_lines, their_errors, theirs)
            exited = -1 if self.gone else os.dup(self.runs)
        except BaseException:
            for pipe in pipes:
                os.close(pipe)
            raise
        mine = messages, lines, errors
        for pipe in pipes:
            if pipe not in mine or self.gone:
                os.close(pipe)
            else:
                os.set_blocking(pipe, False)
        if self.gone:
            raise OSError("its sandbox has ended")

        def end() -> None:
            self.kill()
            self.wait()
            for descriptor in (*mine, exited):
                os.close(descriptor)

        return Attached(*mine, exited, self.heard, end)

    def beginning(
        self, home: Path | str, bot_seed: str, time_limit: float | None, command: Sequence[str]
    ) -> bytes:
        """The request to start a command, as it is found between the walls. Raises ValueError."""
        return super().beginning(home, bot_seed, time_limit, walls.called(self.bot, command))

    def meter(self) -> Meter:
        """Measure the first process, with all others: orphans in a sandbox are its children."""
        return Meter(number_of(self.first))

    def heard(self) -> int | None:
        """How the fork has ended, as far as it has."""
        while not (self.ended or self.gone) and self.events.poll(0):
            self.hear()
        return self.status

    def renew(self) -> str | None:
        """Empty the room, and put the bot's files in; its folder, or None if that cannot be done.

        There is no process then but the helper and its fork. A sandbox in which the bot could tell
        by the numbers of processes or of files what it did before is of no more use.
        """
        self.await_fork()
        if self.gone or self.next != FIRST_FORK + self.requests or self.files() > MANY:
            return None
        try:
            os.fchmod(self.room, 0o1777)
            found = set(os.listdir(self.room))  # noqa: PTH208
            if not self.inode:
                self.there = found  # where there are interpreters in that folder
            if not found >= self.there:
                return None
            for name in found - self.there:
                try:
                    os.unlink(name, dir_fd=self.room)
                except (IsADirectoryError, PermissionError):
                    shutil.rmtree(name, dir_fd=self.room)
            home = self.outside / self.bot.name
            home.mkdir()
            inode = home.stat().st_ino
            if self.inode and inode != self.inode + 1:
                return None
            self.bot.install(home)
            hand_over(home, *(home / name for name in self.bot.paths))
            self.inode = inode + len(self.bot.paths)
        except (OSError, RecursionError):
            return None
        return f"{walls.ROOM}/{self.bot.name}"

    def files(self) -> int:
        """How many files and folders there are in the room."""
        found = os.fstatvfs(self.room)
        return found.f_files - found.f_ffree

    @contextmanager
    def file(self, private: str, name: str, content: bytes) -> Iterator[tuple[int, str]]:
        """A file in a folder of its own: that folder, open, and the file's path in the sandbox.

        Raises OSError if there is anything under the name ``private``, were it a link.
        """
        folder = self.outside / private / "history"
        folder.parent.mkdir()
        folder.mkdir()
        (folder / name).write_bytes(content)
        hand_over(self.outside / private, folder, folder / name)
        self.inode += 3
        with scratch.held(folder) as descriptor:
            yield descriptor, f"{walls.ROOM}/{private}/history/{name}"
        if self.files() <= MANY:
            with suppress(OSError, RecursionError):
                shutil.rmtree(private, dir_fd=self.room)

    @property
    def outside(self) -> Path:
        """The room, as it is found from here."""
        return Path(f"/proc/self/fd/{self.room}")

    def complaint(self) -> str:
        """What its programs say of why it did not come up."""
        assert self.process.stderr is not None
        os.set_blocking(self.process.stderr.fileno(), False)
        told = self.process.stderr.read(process.STDERR_TAIL) or b""
        lines = told.decode(errors="replace").strip().splitlines()
        return lines[-1].strip().rstrip(".") if lines else "nobody says why"

    def end(self) -> None:
        """End it, with everything in it; there is nothing left of it afterwards."""
        if self.first >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.first, signal.SIGKILL)
            poll = select.poll()
            poll.register(self.first, select.POLLIN)
            poll.poll(MOMENT * 1000)
        super().end()
        if self.group is not None:
            self.group.end()

    def forget(self) -> None:
        """Let go of it."""
        super().forget()
        for descriptor in (self.room, self.first, self.runs):
            if descriptor >= 0:
                os.close(descriptor)
        self.room = self.first = self.runs = -1


def hand_over(*paths: Path | int) -> None:
    """Let files, folders and descriptors be the bot's; only root has to."""
    if os.geteuid() == 0:
        for path in paths:
            os.chown(path, walls.NOBODY, walls.NOBODY)


@cache
def lacking() -> str:
    """Why this machine has no sandbox, in a sentence; nothing if it has one. It is tried out."""
    if missing := walls.missing():
        return missing
    try:
        sandbox = Sandbox(Bot("trial", ("true",), ()), "", environment(NO_SEED))
    except (OSError, ValueError) as error:
        return f"it cannot be started: {error}"
    try:
        if not sandbox.gone:
            return ""
        return f"it cannot be built here: {sandbox.complaint()}"
    finally:
        sandbox.end()
