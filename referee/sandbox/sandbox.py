"""The sandbox: a bot's processes between walls of the kernel's, built by bubblewrap (bwrap).

The walls are in :mod:`referee.sandbox.bwrap`. The first process between them is a helper
(:mod:`referee.processes.fork_client`), so that what a sandbox costs is paid once. The bot's
processes are killed after each decision, and the next ones have the same numbers. Its room, the one
folder that can be written in, is a file system that is mounted anew for each lifetime; the referee
writes the bot's files through a descriptor that the helper hands out.

docs/isolation.md says what all this holds, and what it does not.
"""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import signal
import socket
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from referee.bot import Bot
from referee.processes import limits, process, scratch_dir
from referee.processes.environment import NO_SEED, environment
from referee.processes.fork_client import FORK, MOMENT, START_LIMIT, Helper, framed
from referee.processes.processor_time import Meter, number_of
from referee.sandbox import bwrap, cgroup
from referee.sandbox.bwrap import called as called
from referee.sandbox.bwrap import cannot_show as cannot_show
from referee.sandbox.cgroup import has_cgroup as has_cgroup

_C = ctypes.CDLL(None)

FIRST = b"first"
SPACE = socket.CMSG_SPACE(2 * 4) + socket.CMSG_SPACE(3 * 4)
"""For two descriptors, and the number of who sent them, with its user and group."""

SPARE = 16
"""Processes of the sandbox that are not the bot's: those of bwrap, and the helper."""


class Sandbox(Helper):
    """A helper in a sandbox of its own. Without a script it can still start the bot's command."""

    place = "sandbox"
    folder = bwrap.TOOLS

    def __init__(self, bot: Bot, script: str, settings: Mapping[str, str]) -> None:
        """Build it. Raises OSError or ValueError when that is not possible."""
        self.room = self.first = self.runs = -1
        self.clean, self.cleared, self.last, self.worn = True, False, False, False
        self.user = bwrap.user()
        self.bot, self.script = bot, script
        self.made_for: tuple[object, ...] = ()
        self.group = None
        if has_cgroup():
            self.group = cgroup.Group(limits.MEMORY, limits.PROCESSES + SPARE)
        try:
            with bwrap.forbidding() as self.inherited:
                super().__init__(bot, script, settings)
            if not (self.gone or self.worn):
                self.rehearse()
        except BaseException:
            if self.group is not None:
                self.group.end()
            raise

    def rehearse(self) -> None:
        """Let a lifetime pass in which nothing happens.

        What comes after the first one is the same each time, down to the addresses of objects in
        memory; what the first one finds is not.
        """
        self.last = True
        self.start("/", "", ["true"], START_LIMIT)
        self.last = False

    def command(
        self, bot: Bot, script: str, channel: int, settings: Mapping[str, str]
    ) -> Sequence[str]:
        """What is started: the helper's own command, with the walls around it."""
        self.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)  # who is the first?
        program, *inside = super().command(bot, script, channel, settings)
        inside.insert(0, bwrap.own_python(program) or program)
        words = [*bwrap.bwrap_command(bot, settings, self.inherited, self.user), *inside]
        return words if self.group is None else self.group.entering(words)

    def recv(self) -> bytes:
        """What it says next, and descriptors with it: of a fork, and of a room."""
        said, rights, *_ = self.channel.recvmsg(64, SPACE)
        sent = {kind: array("i", data) for _, kind, data in rights}
        descriptors = sent.get(socket.SCM_RIGHTS, array("i"))
        lines = said.split(b"\n")
        if descriptors and lines[-2].startswith(FORK):
            self.runs = put(descriptors.pop(0), self.runs)
        if descriptors:
            self.room = put(descriptors.pop(0), self.room)
            self.clean, self.cleared = True, False
        if FIRST in lines:
            self.first = os.pidfd_open(sent[socket.SCM_CREDENTIALS][0])
            self.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        return said

    def on_unknown(self, word: bytes) -> None:
        """It has said that it is the first, or that there will be no other room."""
        self.worn |= word == b"worn"

    def ask(self, request: bytes, *pipes: int) -> None:
        """Send a request; at the end of a last one there is a new room."""
        self.clean = False
        if self.last:
            # Were it open still, the next one could not have its device number.
            self.room = put(-1, self.room)
            request = b"last\0" + request
        if os.geteuid() == 0:
            for pipe in pipes:  # as /dev/stdout they can be opened
                os.chown(pipe, self.user, self.user)
        super().ask(request, *pipes)

    def kill(self) -> None:
        """Kill the fork; what it started goes with it."""
        if self.runs >= 0 and not self.ended:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.runs, signal.SIGKILL)

    def alive(self) -> bool:
        """Whether it can be used."""
        if not self.gone and self.events.poll(0):
            self.read_messages()
        return not self.gone

    def beginning(
        self, home: Path | str, bot_seed: str, time_limit: float | None, command: Sequence[str]
    ) -> bytes:
        """The request to start a command, as it is found between the walls. Raises ValueError."""
        return super().beginning(home, bot_seed, time_limit, bwrap.called(self.bot, command))

    def meter(self) -> Meter:
        """Measure the first process, with all others: orphans in a sandbox are its children."""
        return Meter(number_of(self.first))

    def clear(self) -> None:
        """At the end of a lifetime: ask for a new room, unless one comes or is there."""
        if self.clean or self.gone or self.cleared or (self.last and not self.next):
            return
        self.cleared = True
        self.room = put(-1, self.room)  # so that all that is in it goes with it
        try:
            self.channel.sendall(framed(b"room"))
        except OSError:
            self.gone = True

    def renew(self) -> str | None:
        """Put the bot's files in a new room; its folder, or None if that cannot be done.

        There is no process then but the helper and its fork. A sandbox in which the bot could tell
        by the numbers of processes or of files what it did before is of no more use.
        """
        self.await_fork()
        self.clear()
        while not (self.clean or self.gone or self.worn):
            if self.events.poll(MOMENT):
                self.read_messages()
            else:
                self.gone = True
        if self.gone or not self.clean:
            return None
        try:
            with self.as_bot():
                self.bot.install(self.outside / self.bot.name)
        except OSError:
            return None
        self.clean = False
        return f"{bwrap.ROOM}/{self.bot.name}"

    @contextmanager
    def as_bot(self) -> Iterator[None]:
        """In the block this thread has no other rights to files than the bot; only root has."""
        if os.geteuid() != 0:
            yield
            return
        try:
            _C.setfsgid(self.user)
            _C.setfsuid(self.user)
            yield
        finally:
            _C.setfsuid(0)
            _C.setfsgid(os.getegid())

    @contextmanager
    def file(self, private: str, name: str, content: bytes) -> Iterator[tuple[int, str]]:
        """A file in a folder of its own: that folder, open, and the file's path in the sandbox.

        Raises OSError if there is anything under the name ``private``, were it a link.
        """
        self.last = False  # its folder is needed for longer than the bot runs
        folder = self.outside / private / "history"
        with self.as_bot():
            folder.parent.mkdir()
            folder.mkdir()
            (folder / name).write_bytes(content)
        with scratch_dir.held(folder) as descriptor:
            yield descriptor, f"{bwrap.ROOM}/{private}/history/{name}"
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


def put(descriptor: int, old: int) -> int:
    """Close a descriptor, if it is one, and return that in its place."""
    if old >= 0:
        os.close(old)
    return descriptor


@cache
def unavailable_reason() -> str:
    """Why this machine has no sandbox, in a sentence; nothing if it has one. It is tried out."""
    if missing := bwrap.missing():
        return missing
    try:
        sandbox = Sandbox(Bot("", ("true",), ()), "", environment(NO_SEED))
    except (OSError, ValueError) as error:
        return f"it cannot be started: {error}"
    try:
        if not sandbox.gone:
            return ""
        return f"it cannot be built here: {sandbox.complaint()}"
    finally:
        sandbox.end()
