"""What the first process of a sandbox does, besides what it is started for.

It cannot be looked into by the bots, which run as the same user; it kills and reaps all that they
leave behind; and it hands out descriptors, by which the referee reaches in. Nothing of Koth is
imported here, and little else.
"""

from __future__ import annotations

import os
import sys
from _ctypes import call_function, dlclose, dlopen, dlsym
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

VICTIM = "/proc/self/oom_score_adj"
"""How likely the kernel ends a process for want of memory: a bot's, rather than any other."""

SET_DUMPABLE = 4
"""For prctl(2): whether processes of the same user may look into this one, and steer it."""


class FirstProcess:
    """This process, which has the number 1."""

    def __init__(self, channel: socket, files: int) -> None:
        """Shut it off, and send the room and itself over ``channel``.

        ``files`` is how many a bot may have open. It may not keep this process from sending some
        by having as many on their way as its user may.
        """
        self.files = files
        library = dlopen(None, 0)  # type: ignore[arg-type] # this program itself
        self.prctl = dlsym(library, "prctl")
        dlclose(library)
        self.be_open(False)
        signal(SIGINT, SIG_DFL)  # which the first process is never sent from within
        lent = os.open(ROOM, os.O_RDONLY | os.O_DIRECTORY), os.pidfd_open(os.getpid())
        self.send(channel, b"first\n", *lent)
        for one in lent:
            os.close(one)

    def end_all_others(self) -> None:
        """Kill every process but this one, and reap them."""
        try:
            os.kill(-1, SIGKILL)
            while True:
                os.waitpid(-1, 0)
        except (ProcessLookupError, ChildProcessError):
            pass

    def be_open(self, how: bool) -> None:
        """Let processes of the same user look into this one, or not."""
        if call_function(self.prctl, (SET_DUMPABLE, int(how), 0, 0, 0)):
            sys.exit("prctl is not to be had")

    def send(self, channel: socket, line: bytes, *descriptors: int) -> None:
        """Send a line, and descriptors with it."""
        numbers = b"".join(number.to_bytes(4, sys.byteorder) for number in descriptors)
        channel.sendmsg([line], [(SOL_SOCKET, SCM_RIGHTS, numbers)])

    def leave(self) -> None:
        """In a fork: be an ordinary process."""
        setrlimit(RLIMIT_NOFILE, (self.files, self.files))
        os.close(0)
        os.open(os.devnull, os.O_RDWR)  # one of its own, with nobody's flags
        os.set_inheritable(0, True)
        signal(SIGINT, default_int_handler)
        self.be_open(True)
        with open(VICTIM, "wb", 0) as file:  # noqa: PTH123
            file.write(b"1000")
