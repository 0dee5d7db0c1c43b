"""Let a fork stay for further requests, if its script shares nothing between its decisions.

The referee proves that from the source (referee/self_contained/scripts.py). What a fresh
interpreter has, and a decision changes, is set anew for each: the code, the names of ``__main__``,
the generator of :mod:`random`, and the processor time that it may use.

This module imports few modules, and none of Koth, because a bot's interpreter loads it.
"""

from __future__ import annotations

import marshal
import os
import sys
from resource import RLIM_INFINITY, RLIMIT_CPU, RUSAGE_SELF, getrlimit, getrusage, setrlimit
from time import process_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from types import CodeType
    from typing import Any

MORE_MEMORY = 16 * 1024
"""Kilobytes by which a decision may enlarge a fork that stays; after more, a new fork follows."""

MOST_SECONDS = 10.0
"""Seconds of processor time after which a new fork follows: there may be a limit to it."""


class Stay:
    """The state of a fork that may take more than one request."""

    def __init__(
        self, code: CodeType, names: dict[str, Any], channel: socket, receiver: int
    ) -> None:
        """``names`` are those of ``__main__``; ``receiver`` gets the fork's own reports."""
        self.code = marshal.dumps(code)
        self.names, self.fresh = names, dict(names)
        self.channel, self.receiver = channel, receiver
        self.modules = len(sys.modules)
        self.first = True
        """Whether no request was served yet."""
        self.memory = getrusage(RUSAGE_SELF).ru_maxrss + MORE_MEMORY
        self.limit = getrlimit(RLIMIT_CPU)[1]
        self.schedule = os.open("/proc/self/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def new_code(self) -> CodeType:
        """Return a copy of the script's code that was never run.

        Code that has run is specialized, and its calls may take fewer levels of recursion.
        """
        code: CodeType = marshal.loads(self.code)
        return code

    def begin(self, seconds: int) -> None:
        """Begin a decision of at most so many seconds of processor time."""
        most = seconds + int(process_time()) + 1
        soft = most if self.limit == RLIM_INFINITY else min(most, self.limit)
        setrlimit(RLIMIT_CPU, (soft, self.limit))

    def end(self, status: object = None) -> bool:
        """End a decision and report it. Return False if the fork must end, with this status."""
        if status is not None and (type(status) is not int or status):
            return False
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            return False
        if len(sys.modules) > self.modules:
            return False  # the next decision would not import them, nor repeat a warning
        if getrusage(RUSAGE_SELF).ru_maxrss > self.memory or process_time() > MOST_SECONDS:
            return False
        for path in (sys.path[0], self.names["__file__"]):
            sys.path_importer_cache.pop(path, None)
        self.names.clear()
        self.names.update(self.fresh)
        if "__annotations__" in self.fresh:
            self.names["__annotations__"] = {}
        if random := sys.modules.get("random"):
            random.seed()
        if patterns := sys.modules.get("re"):
            patterns.purge()  # the next compilation of a pattern gives its warnings again
        self.first = False
        os.read(self.receiver, 16)  # its own report: the server sees it only if the fork ends
        self.channel.send(b"done %d %d\n" % self.spent())
        return True

    def spent(self) -> tuple[int, int]:
        """Return the microseconds for which this fork has run, and waited for a processor."""
        waited = int(os.pread(self.schedule, 64, 0).split()[1])
        return int(process_time() * 1e6), waited // 1000
