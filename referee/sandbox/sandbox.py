"""Run a bot in a sandbox that bubblewrap (bwrap) builds from kernel namespaces.

Process 1 in the sandbox is a fork server (:mod:`referee.processes.fork_client`), so one sandbox
serves many decisions. It kills all other processes after each decision, and resets the process
numbers. The bot's scratch folder is on a tmpfs at ``/tmp``, the only place that it can write to. A
new tmpfs is mounted for each lifetime; the referee writes the bot's files through a descriptor of
its root.

:mod:`referee.sandbox.bwrap` builds the command line; docs/isolation.md lists what is prevented, and
what is not.
"""

from __future__ import annotations

import compileall
import ctypes
import os
import select
import shutil
import signal
import socket
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

from referee.bot import Bot
from referee.environment import NO_SEED, environment
from referee.errors import check_message
from referee.in_bot.init_process import SCRATCH
from referee.processes import limits, scratch_dir
from referee.processes.fork_client import FORK, REPLY_TIMEOUT, START_TIMEOUT, ForkServer
from referee.processes.messages import framed
from referee.processes.processor_time import Meter, number_of
from referee.sandbox import bwrap, cgroup
from referee.sandbox.bwrap import cannot_show as cannot_show
from referee.sandbox.cgroup import has_cgroup as has_cgroup

_C = ctypes.CDLL(None)

INIT = b"init"
"""The message with the credentials of process 1."""

FINAL = b"final"
"""The message that no other scratch file system can be mounted."""

CONTROL_SIZE = socket.CMSG_SPACE(2 * 4) + socket.CMSG_SPACE(3 * 4)
"""Bytes of control messages: two descriptors, and the sender's process, user and group."""

OWN_PROCESSES = 16
"""Processes of a sandbox that are not the bot's: those of bwrap, and the fork server."""

SETTINGS = Path("/proc/sys")
"""The folder of the kernel's settings."""

RESTRICTIONS = {
    "kernel.apparmor_restrict_unprivileged_userns": "1",
    "kernel.unprivileged_userns_clone": "0",
    "user.max_user_namespaces": "0",
}
"""Settings of the kernel with which bubblewrap has no user namespace, or no rights in it."""

ADVICE = 'What to do: docs/isolation.md, "Where no sandbox can be built"'


class Sandbox(ForkServer):
    """A fork server in a sandbox of its own. Without a script it starts the bot's command."""

    isolation = "sandbox"
    folder = bwrap.TOOLS

    def __init__(self, bot: Bot, script: str, settings: Mapping[str, str]) -> None:
        """Begin to build the sandbox. Raises OSError or ValueError if that is not possible."""
        self.scratch_fd = self.init_pidfd = self.fork_pidfd = -1
        self.fresh, self.remounting = True, False
        self.remount_after_fork = False
        """Whether the next fork ends a lifetime; the server then mounts the next scratch early."""
        self.final = False
        """Whether the server cannot mount another scratch file system."""
        compile_programs()
        self.user = bwrap.user()
        self.bot = bot
        self.group = None
        if has_cgroup():
            self.group = cgroup.Group(limits.MEMORY, limits.PROCESSES + OWN_PROCESSES)
        try:
            with bwrap.seccomp_filter() as self.inherited:
                super().__init__(bot, script, settings)
        except BaseException:
            if self.group is not None:
                self.group.end()
            raise

    @classmethod
    def key(cls, bot: Bot, script: str) -> tuple[object, ...]:
        """Return an equal key for two bots if one sandbox can serve both."""
        return bot, script

    @property
    def home(self) -> str:
        """The bot's folder, as a path in the sandbox."""
        return f"{SCRATCH}/{self.bot.name}"

    @property
    def scratch(self) -> Path:
        """The root of the scratch file system, as a path outside the sandbox."""
        return Path(f"/proc/self/fd/{self.scratch_fd}")

    def finish_start(self) -> None:
        """Wait until the sandbox is built, and run a lifetime without a bot.

        The first lifetime differs from later ones, for example in memory addresses. All lifetimes
        that bots see are equal.
        """
        super().finish_start()
        if not (self.gone or self.final):
            self.remount_after_fork = True
            self.run_command("/", "", ["true"], START_TIMEOUT)
            self.remount_after_fork = False

    def command(
        self, bot: Bot, script: str, channel: int, settings: Mapping[str, str]
    ) -> Sequence[str]:
        """Return the command line of bwrap with the fork server in it."""
        self.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)  # for INIT
        program, *words = super().command(bot, script, channel, settings)
        words.insert(0, bwrap.own_python(program) or program)
        line = [*bwrap.bwrap_command(bot, settings, self.inherited, self.user), *words]
        return line if self.group is None else self.group.entering(line)

    def command_request(
        self, home: Path | str, bot_seed: str, cpu_seconds: int, command: Sequence[str]
    ) -> bytes:
        """Return the request to start a command by its path in the sandbox. Raises ValueError."""
        words = bwrap.sandboxed_command(self.bot, command)
        return super().command_request(home, bot_seed, cpu_seconds, words)

    # --- messages ---

    def recv(self) -> bytes:
        """Receive bytes, and descriptors of a fork, of a scratch file system, and of process 1."""
        data, control, *_ = self.channel.recvmsg(64, CONTROL_SIZE)
        received = {kind: array("i", content) for _, kind, content in control}
        descriptors = received.get(socket.SCM_RIGHTS, array("i"))
        lines = data.split(b"\n")
        if descriptors and lines[-2].startswith(FORK):
            self.set_descriptor("fork_pidfd", descriptors.pop(0))
        if descriptors:
            self.set_descriptor("scratch_fd", descriptors.pop(0))
            self.fresh, self.remounting = True, False
        if INIT in lines:
            self.init_pidfd = os.pidfd_open(received[socket.SCM_CREDENTIALS][0])
            self.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        return data

    def on_unknown(self, word: bytes) -> None:
        """Handle the messages that only a sandbox sends."""
        self.final |= word == FINAL

    def ask(self, request: bytes, *pipes: int) -> None:
        """Send a request. If it ends a lifetime, the next scratch is mounted after it."""
        self.fresh = False
        if self.remount_after_fork:
            # An open file system would keep its device number from the next one.
            self.set_descriptor("scratch_fd", -1)
            request = b"last\0" + request
        if os.geteuid() == 0:
            for pipe in pipes:  # the bot may open them as /dev/stdout
                os.chown(pipe, self.user, self.user)
        super().ask(request, *pipes)

    def open_fork(self) -> int:
        """Return a new descriptor of the fork that takes the next request. Raises OSError."""
        return os.dup(self.fork_pidfd)

    def kill(self) -> None:
        """Kill the fork; process 1 then kills everything that the fork started."""
        if self.fork_pidfd >= 0 and not self.ended:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.fork_pidfd, signal.SIGKILL)

    def meter(self) -> Meter:
        """Measure process 1 and all others, which include orphans as its children."""
        return Meter(number_of(self.init_pidfd))

    # --- lifetimes ---

    def release(self) -> None:
        """End a lifetime: request a new scratch, unless one is mounted or requested already."""
        if self.fresh or self.gone or self.remounting:
            return
        if self.remount_after_fork and not self.next:
            return
        self.remounting = True
        self.set_descriptor("scratch_fd", -1)  # else its files would be kept
        try:
            self.channel.sendall(framed(b"remount"))
        except OSError:
            self.gone = True

    def prepare(self) -> bool:
        """Put the bot's files into a new scratch. Return False if that is not possible.

        Only the server and its fork are running then. A sandbox that cannot reset its processes and
        files is not used again: a bot could tell what it did before.
        """
        if not super().prepare():
            return False
        self.await_fork()
        self.release()
        while not (self.fresh or self.gone or self.final):
            if self.events.poll(REPLY_TIMEOUT):
                self.read_messages()
            else:
                self.gone = True
        if self.gone or not self.fresh:
            return False
        try:
            with self.as_bot():
                self.bot.install(self.scratch / self.bot.name)
        except OSError:
            return False
        self.fresh = self.remount_after_fork = False
        return True

    @contextmanager
    def as_bot(self) -> Iterator[None]:
        """Give this thread the bot's user and group for file access, if the referee is root."""
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
        """Write a file to a new folder; return the folder, open, and its path in the sandbox.

        Raises OSError if the name ``private`` exists, even as a link.
        """
        self.remount_after_fork = False  # the folder is read after the bot has ended
        folder = self.scratch / private / "history"
        with self.as_bot():
            folder.parent.mkdir()
            folder.mkdir()
            (folder / name).write_bytes(content)
        with scratch_dir.opened(folder) as descriptor:
            yield descriptor, f"{SCRATCH}/{private}/history/{name}"
        with suppress(OSError, RecursionError):
            shutil.rmtree(private, dir_fd=self.scratch_fd)

    # --- its end ---

    def end(self) -> None:
        """End the sandbox: all its processes, its files and its cgroup."""
        if self.init_pidfd >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.init_pidfd, signal.SIGKILL)
            poll = select.poll()
            poll.register(self.init_pidfd, select.POLLIN)
            poll.poll(REPLY_TIMEOUT * 1000)
        super().end()
        if self.group is not None:
            self.group.end()

    def forget(self) -> None:
        """Close the channel and all descriptors."""
        super().forget()
        for name in ("scratch_fd", "init_pidfd", "fork_pidfd"):
            self.set_descriptor(name, -1)

    def set_descriptor(self, name: str, new: int) -> None:
        """Set an attribute to a descriptor, -1 for none, and close the one before.

        In this order an interrupt leaves no closed descriptor that would be closed again.
        """
        old = getattr(self, name)
        setattr(self, name, new)
        if old >= 0:
            os.close(old)


@cache
def compile_programs() -> None:
    """Compile the programs of Koth in a sandbox, which can keep no bytecode, for all that follow.

    Nothing happens where no file can be written, or where Python shall write no bytecode.
    """
    if not sys.dont_write_bytecode:
        compileall.compile_dir(bwrap.IN_BOT, quiet=2)


@cache
def unavailable_reason() -> str:
    """Return why no sandbox can be built on this machine, or ``""`` if a test sandbox starts.

    Raises RefereeError if no more processes can be started now: later there may be a sandbox.
    """
    if missing := bwrap.missing():
        return missing
    with ExitStack() as stack:
        try:
            sandbox = Sandbox(Bot("", ("true",), ()), "", environment(NO_SEED))
            stack.callback(sandbox.end)
            sandbox.finish_start()
        except (OSError, ValueError) as error:
            check_message(str(error))
            return f"it cannot be started: {error}"
        if not sandbox.gone:
            return ""
        reason = sandbox.error_message()
        check_message(reason)
        return f"it cannot be built here: {reason}{restriction()}. {ADVICE}"


def restriction() -> str:
    """Return which setting of ``RESTRICTIONS`` this machine has, as half a sentence, or ``""``."""
    for name, value in RESTRICTIONS.items():
        with suppress(OSError):
            if (SETTINGS / name.replace(".", "/")).read_text().strip() == value:
                return f" ({name} is {value})"
    return ""
