"""The end of a bot's process, and the output that it leaves."""

from __future__ import annotations

from dataclasses import dataclass

FLOOD = 16 * 1024 * 1024
"""Bytes of standard output at which a process is killed."""

MOMENT = 0.1
"""Maximum seconds between the end of a process's pipes and its own."""

STDERR_TAIL = 4 * 1024
"""Bytes of standard error that are kept: the last ones."""


class ServerLost(Exception):
    """Raised when a fork server ended before the bot started, which is not the bot's fault."""


@dataclass
class Outcome:
    """The end of a process, and its output."""

    exit: int | None = None
    """Its exit status, negative for a signal; None if it could not be started."""
    timed_out: bool = False
    flooded: bool = False
    output: bytes = b""
    """At most ``CAP + 1`` bytes, so that more than the log keeps can be detected."""
    stderr: bytes = b""
    seconds: float = 0.0
    """Seconds of wall-clock time."""
    measured: bool = True
    """Whether this system measures the next two."""
    computed: float = 0.0
    """Seconds of processor time, including children that it waited for."""
    waited: float = 0.0
    """Seconds for which it could run but had no processor."""
    error: str = ""
    ahead: bool = False
    """Whether it was started before its question."""

    @property
    def crashed(self) -> bool:
        """Whether it could not start, exited with a status other than 0, or died of a signal."""
        return self.exit != 0 and not self.timed_out and not self.flooded
