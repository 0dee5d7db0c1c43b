"""The first process of a sandbox: what it does besides keeping the bot ready.

It cannot be looked into by the bots, which run as the same user. It kills and reaps all that they
leave behind, and keeps two capabilities in the sandbox's own user namespace: to number processes
from the same number before each fork, and to mount a new room. A fork gives them up before anything
of the bot runs. It hands out descriptors, by which the referee reaches in.

Nothing of Koth is imported here, and little else.
"""

from __future__ import annotations

import os
import sys
from _ctypes import call_function, dlopen, dlsym
from _signal import (  # type: ignore[import-not-found] # signal loads much more
    SIG_DFL,
    SIGINT,
    SIGKILL,
    default_int_handler,
    signal,
)
from _socket import SCM_RIGHTS, SOL_SOCKET
from resource import RLIMIT_NOFILE, setrlimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

ROOM = "/tmp"
"""The only folder in a sandbox that can be written in."""

PROGRAMS = "/run/koth-tmp"
"""Programs that are below the room on this machine, read-only, where there are any."""

PROC = "/proc"

FILES = 20_000
"""Maximum number of files and folders in a room."""

NOSUID, NODEV, NOEXEC, BIND_ALL, DETACH, NEW_USER = 2, 4, 8, 0x5000, 2, 0x10000000
"""Flags of mount(2), umount2(2) and unshare(2)."""

VICTIM = "/proc/self/oom_score_adj"
"""How likely the kernel ends a process for want of memory: a bot's, rather than any other."""

LAST_NUMBER = "/proc/sys/kernel/ns_last_pid"
"""The number of the process that was forked last in this PID namespace."""

USER_NAMESPACES = "/proc/sys/user/max_user_namespaces"
"""How many user namespaces may be made below this one."""

SET_DUMPABLE, DROP_FROM_BOUNDING_SET = 4, 24
"""For prctl(2): whether processes of the same user may look into this one, and steer it; and that
no program that it becomes gets a certain capability."""

SETPCAP, SYS_ADMIN, SYS_RESOURCE = 8, 21, 24
"""Capabilities: to drop from the bounding set, to mount and number, to limit namespaces."""

CAPABILITY_VERSION = 0x20080522
HEADER = CAPABILITY_VERSION.to_bytes(4, sys.byteorder) + bytes(4)
"""For capset(2), of this process."""


class InitProcess:
    """This process, which has the number 1."""

    def __init__(self, channel: socket, files: int) -> None:
        """Close this process off, and send the room over ``channel``.

        ``files`` is how many a bot may have open. It may not keep this process from sending some
        by having as many on their way as its user may.
        """
        self.files = files
        self.functions = {
            name: dlsym(dlopen(None, 0), name)  # type: ignore[arg-type] # this program itself
            for name in ("prctl", "capset", "mount", "umount2", "unshare")
        }
        self.be_open(False)
        signal(SIGINT, SIG_DFL)  # which the first process is never sent from within
        self.forbid_user_namespaces()
        self.call("prctl", DROP_FROM_BOUNDING_SET, SYS_RESOURCE, 0, 0, 0)
        if not (self.keep(SETPCAP, SYS_ADMIN) or self.keep()):
            sys.exit("capabilities cannot be given up")
        self.last_number = os.open(LAST_NUMBER, os.O_WRONLY | os.O_CLOEXEC)
        found = os.statvfs(ROOM)
        size = found.f_blocks * found.f_frsize
        self.mounts = (
            (
                ROOM.encode(),
                b"tmpfs",
                NOSUID | NODEV,
                b"mode=1777,size=%d,nr_inodes=%d" % (size, FILES),
            ),
            (PROC.encode(), b"proc", NOSUID | NODEV | NOEXEC, b"hidepid=2"),
        )
        there = os.path.isdir(PROGRAMS)  # noqa: PTH112
        self.programs = sorted(os.listdir(PROGRAMS)) if there else []  # noqa: PTH208
        self.renews = self.number_anew() and self.mount_all()
        room = os.open(ROOM, os.O_RDONLY | os.O_DIRECTORY)
        self.send(channel, b"first\n" if self.renews else b"worn\nfirst\n", room)
        os.close(room)

    def call(self, function: str, *arguments: int | bytes) -> bool:
        """Call a function of C. Returns whether it succeeded."""
        return bool(call_function(self.functions[function], arguments) == 0)

    def forbid_user_namespaces(self) -> None:
        """Let no process make a user namespace, in which it would have every capability."""
        try:
            with open(USER_NAMESPACES, "wb", 0) as file:  # noqa: PTH123
                file.write(b"0")
        except OSError:
            pass  # the system may have forbidden them already
        number = os.fork()
        if number == 0:
            os._exit(self.call("unshare", NEW_USER))
        if os.waitpid(number, 0)[1]:
            sys.exit("user namespaces cannot be forbidden")

    def keep(self, *capabilities: int) -> bool:
        """Give up all capabilities but these. Returns False where it has not got them."""
        kept = sum(1 << one for one in capabilities).to_bytes(4, sys.byteorder)
        return self.call("capset", HEADER, kept + kept + bytes(4) + bytes(12))

    def renew(self) -> list[int]:
        """Mount a new room and a new /proc, and open the room; nothing where that fails.

        The room's inodes are numbered as those of the last one were, and no mark on its root is
        left of that; nor does /proc know which of its files somebody has looked at before.
        """
        if self.renews:
            self.renews = (
                all(self.call("umount2", where, DETACH) for where, *_ in self.mounts)
                and self.mount_all()
            )
        return [os.open(ROOM, os.O_RDONLY | os.O_DIRECTORY)] if self.renews else []

    def mount_all(self) -> bool:
        """Mount a room, with the programs that are below it, and /proc."""
        return all(self.call("mount", b"koth", *one) for one in self.mounts) and all(
            map(self.show, self.programs)
        )

    def show(self, name: str) -> bool:
        """Show a file or a folder of programs in the room, where nobody can rename it."""
        source, target = f"{PROGRAMS}/{name}", f"{ROOM}/{name}"
        if os.path.isdir(source):  # noqa: PTH112
            os.mkdir(target)  # noqa: PTH102
        else:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        return self.call("mount", os.fsencode(source), os.fsencode(target), b"", BIND_ALL, b"")

    def hand_out(self, channel: socket, line: bytes, room: list[int], *descriptors: int) -> None:
        """Send a line with descriptors, and with the new room; or say that there is none."""
        self.send(channel, line if room else b"worn\n" + line, *descriptors, *room)
        for one in room:
            os.close(one)

    def number_anew(self) -> bool:
        """Let the next fork have the number 2. Returns whether the kernel allows that."""
        try:
            return bool(os.pwrite(self.last_number, b"1", 0))
        except OSError:
            return False

    def kill_all_others(self) -> None:
        """Kill every process but this one."""
        try:  # noqa: SIM105 contextlib is not loaded in a plain interpreter
            os.kill(-1, SIGKILL)
        except ProcessLookupError:
            pass

    def reap_all_others(self) -> None:
        """Wait until none of them is left."""
        try:
            while True:
                os.waitpid(-1, 0)
        except ChildProcessError:
            pass

    def be_open(self, how: bool) -> None:
        """Let processes of the same user look into this one, or not."""
        if not self.call("prctl", SET_DUMPABLE, int(how), 0, 0, 0):
            sys.exit("prctl is not to be had")

    def send(self, channel: socket, line: bytes, *descriptors: int) -> None:
        """Send a line, and descriptors with it."""
        numbers = b"".join(number.to_bytes(4, sys.byteorder) for number in descriptors)
        channel.sendmsg([line], [(SOL_SOCKET, SCM_RIGHTS, numbers)] if numbers else [])

    def wait(self, room: list[int]) -> None:
        """In a fork: be an ordinary process, but for the capabilities that a new room takes.

        ``room`` is not for it.
        """
        for one in (self.last_number, *room):
            os.close(one)
        os.close(0)
        os.open(os.devnull, os.O_RDWR)  # one of its own, with nobody's flags
        os.set_inheritable(0, True)
        signal(SIGINT, default_int_handler)
        self.be_open(True)
        with open(VICTIM, "wb", 0) as file:  # noqa: PTH123
            file.write(b"1000")

    def leave(self) -> None:
        """In a fork, before anything of the bot runs: have no capability any more."""
        setrlimit(RLIMIT_NOFILE, (self.files, self.files))
        for one in (SYS_ADMIN, SETPCAP):
            self.call("prctl", DROP_FROM_BOUNDING_SET, one, 0, 0, 0)
        if not self.keep():
            sys.exit("capabilities cannot be given up")
