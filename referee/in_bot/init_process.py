"""Control a sandbox from its process 1, which is also its fork server.

Bots run as the same user but cannot inspect this process. It kills and reaps all processes that
they leave. It keeps two capabilities in the user namespace of the sandbox: to reset the process
numbers before each fork, and to mount a new scratch file system. Each fork drops them before code
of the bot runs. The referee gets descriptors of the forks and of the scratch over the channel.

This module imports few modules, and none of Koth, because a bot's interpreter loads it.
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
from _socket import AF_UNIX, SCM_RIGHTS, SOL_SOCKET, socket
from resource import RLIMIT_NOFILE, setrlimit
from time import sleep

SCRATCH = "/tmp"
"""The only folder in a sandbox that is writable."""

PROGRAMS = "/run/koth-tmp"
"""Read-only copies of the programs that are below SCRATCH on this machine."""

PROC = "/proc"

FILES = 20_000
"""Maximum number of files and folders in a scratch."""

NOSUID, NODEV, NOEXEC, BIND_ALL, DETACH, NEW_USER = 2, 4, 8, 0x5000, 2, 0x10000000
"""Flags of mount(2), umount2(2) and unshare(2)."""

OOM_SCORE = "/proc/self/oom_score_adj"
"""The score by which the kernel selects a process to kill if memory runs out."""

LAST_NUMBER = "/proc/sys/kernel/ns_last_pid"
"""The last process number that was assigned in this PID namespace."""

SOCKETS = "/proc/self/net/unix"
"""The sockets of this network namespace, one per line below a header; hidden before a remount."""

MAX_WAITS = 1_000
"""Maximum waits for sockets, of a millisecond each; a fault of the kernel may keep one for ever."""

USER_NAMESPACES = "/proc/sys/user/max_user_namespaces"
"""Maximum number of user namespaces below this one."""

SET_DUMPABLE, DROP_FROM_BOUNDING_SET = 4, 24
"""Operations of prctl(2): PR_SET_DUMPABLE, which lets processes of the same user inspect and trace
this one, and PR_CAPBSET_DROP."""

SETPCAP, SYS_ADMIN, SYS_RESOURCE = 8, 21, 24
"""Capabilities: to drop from the bounding set, to mount and set numbers, to limit namespaces."""

CAPABILITY_VERSION = 0x20080522
HEADER = CAPABILITY_VERSION.to_bytes(4, sys.byteorder) + bytes(4)
"""The header of capset(2) for this process."""


class InitProcess:
    """Process 1 of a sandbox."""

    def __init__(self, channel: socket, files: int) -> None:
        """Protect this process, and send a descriptor of the scratch over ``channel``.

        ``files`` is the number of files that a bot may open. This process keeps a higher limit: the
        kernel limits descriptors in transit by user, and a bot could exhaust that limit.
        """
        self.files = files
        self.functions = {
            name: dlsym(dlopen(None, 0), name)  # type: ignore[arg-type] # this program itself
            for name in ("prctl", "capset", "mount", "umount2", "unshare")
        }
        self.set_inspectable(False)
        signal(SIGINT, SIG_DFL)  # the kernel never delivers it to process 1 from its own namespace
        self.forbid_user_namespaces()
        self.call("prctl", DROP_FROM_BOUNDING_SET, SYS_RESOURCE, 0, 0, 0)
        if not (self.keep(SETPCAP, SYS_ADMIN) or self.keep()):
            sys.exit("capabilities cannot be given up")
        self.last_number = os.open(LAST_NUMBER, os.O_WRONLY | os.O_CLOEXEC)
        status = os.statvfs(SCRATCH)
        size = b"size=%d,nr_inodes=%d" % (status.f_blocks * status.f_frsize, FILES)
        self.mounts = (
            (SCRATCH.encode(), b"tmpfs", NOSUID | NODEV, b"mode=1777," + size),
            (PROC.encode(), b"proc", NOSUID | NODEV | NOEXEC, b"hidepid=2"),
        )
        has_programs = os.path.isdir(PROGRAMS)  # noqa: PTH112
        self.programs = sorted(os.listdir(PROGRAMS)) if has_programs else []  # noqa: PTH208
        self.can_remount = self.reset_numbers() and self.mount_all()
        can_read = os.access(SOCKETS, os.R_OK)
        self.sockets = [os.open(SOCKETS, os.O_RDONLY | os.O_CLOEXEC)] if can_read else []
        self.own_files = (self.last_number, *self.sockets)
        scratch = os.open(SCRATCH, os.O_RDONLY | os.O_DIRECTORY)
        self.send(channel, b"init\n" if self.can_remount else b"final\ninit\n", scratch)
        os.close(scratch)

    def call(self, function: str, *arguments: int | bytes) -> bool:
        """Call a function of the C library. Return whether it succeeded."""
        return bool(call_function(self.functions[function], arguments) == 0)

    def forbid_user_namespaces(self) -> None:
        """Prevent new user namespaces, in which a process would have every capability."""
        try:
            with open(USER_NAMESPACES, "wb", 0) as file:  # noqa: PTH123
                file.write(b"0")
        except OSError:
            pass  # the system may already forbid them
        number = os.fork()
        if number == 0:
            os._exit(self.call("unshare", NEW_USER))
        if os.waitpid(number, 0)[1]:
            sys.exit("user namespaces cannot be forbidden")

    def keep(self, *capabilities: int) -> bool:
        """Drop all capabilities except these. Return False if this process lacks one of them."""
        kept = sum(1 << number for number in capabilities).to_bytes(4, sys.byteorder)
        return self.call("capset", HEADER, kept + kept + bytes(4) + bytes(12))

    def remount(self) -> list[int]:
        """Mount a new scratch and a new /proc; return a descriptor of the scratch, if it worked.

        The new scratch has the same inode numbers and root attributes as the first one. The new
        /proc does not show which of its files were read before.
        """
        if self.can_remount:
            self.can_remount = (
                all(self.call("umount2", where, DETACH) for where, *_ in self.mounts)
                and self.mount_all()
            )
        return [os.open(SCRATCH, os.O_RDONLY | os.O_DIRECTORY)] if self.can_remount else []

    def mount_all(self) -> bool:
        """Mount a scratch, with the programs that are below it, and /proc."""
        return all(self.call("mount", b"koth", *mount) for mount in self.mounts) and all(
            map(self.show, self.programs)
        )

    def show(self, name: str) -> bool:
        """Mount a file or folder of programs in the scratch, where no bot can rename it."""
        source, target = f"{PROGRAMS}/{name}", f"{SCRATCH}/{name}"
        if os.path.isdir(source):  # noqa: PTH112
            os.mkdir(target)  # noqa: PTH102
        else:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        return self.call("mount", os.fsencode(source), os.fsencode(target), b"", BIND_ALL, b"")

    def send_scratch(
        self, channel: socket, line: bytes, scratch: list[int], *descriptors: int
    ) -> None:
        """Send a line with descriptors and the new scratch, or ``final`` if it is missing."""
        self.send(channel, line if scratch else b"final\n" + line, *descriptors, *scratch)
        for descriptor in scratch:
            os.close(descriptor)

    def reset_numbers(self) -> bool:
        """Give the next fork the number 2. Return whether the kernel allows that."""
        try:
            return bool(os.pwrite(self.last_number, b"1", 0))
        except OSError:
            return False

    def kill_all_others(self) -> None:
        """Kill every other process."""
        try:  # noqa: SIM105 contextlib is not loaded in a plain interpreter
            os.kill(-1, SIGKILL)
        except ProcessLookupError:
            pass

    def reap_all_others(self) -> None:
        """Wait until no other process is left."""
        try:
            while True:
                os.waitpid(-1, 0)
        except ChildProcessError:
            pass

    def free_sockets(self) -> None:
        """Wait until no socket is left of ended processes: some may be in transit in each other.

        The kernel looks for those when a socket is closed, and frees them a little later.
        """
        for _ in range(MAX_WAITS):
            socket(AF_UNIX).close()
            if not self.sockets or os.pread(self.sockets[0], 512, 0).count(b"\n") <= 1:
                return
            sleep(0.001)

    def set_inspectable(self, inspectable: bool) -> None:
        """Set whether processes of the same user can inspect this one."""
        if not self.call("prctl", SET_DUMPABLE, int(inspectable), 0, 0, 0):
            sys.exit("prctl is not available")

    def send(self, channel: socket, line: bytes, *descriptors: int) -> None:
        """Send a line with descriptors."""
        numbers = b"".join(number.to_bytes(4, sys.byteorder) for number in descriptors)
        channel.sendmsg([line], [(SOL_SOCKET, SCM_RIGHTS, numbers)] if numbers else [])

    def become_ordinary(self, scratch: list[int]) -> None:
        """In a fork: undo the protection of process 1, except for the capabilities to mount.

        Close ``scratch``, which only the referee may have.
        """
        for descriptor in (*self.own_files, *scratch):
            os.close(descriptor)
        os.close(0)
        os.open(os.devnull, os.O_RDWR)  # the flags of an inherited one would be shared
        os.set_inheritable(0, True)
        signal(SIGINT, default_int_handler)
        self.set_inspectable(True)
        score = os.open(OOM_SCORE, os.O_WRONLY)
        os.write(score, b"1000")
        os.close(score)

    def drop_capabilities(self) -> None:
        """In a fork, before code of the bot runs: give up all capabilities."""
        setrlimit(RLIMIT_NOFILE, (self.files, self.files))
        for capability in (SYS_ADMIN, SETPCAP):
            self.call("prctl", DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
        if not self.keep():
            sys.exit("capabilities cannot be given up")
