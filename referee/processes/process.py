"""Read the output of a bot's process within its limits, and kill its process group at the end."""

from __future__ import annotations

import errno
import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from referee.errors import RefereeError
from referee.processes.processor_time import Watch
from schema.bot_output import CAP

FLOOD = 16 * 1024 * 1024
"""Bytes of standard output at which a process is killed."""

NO_RESOURCES = {
    **dict.fromkeys(
        (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM),
        "Raise the limits on files and processes (`ulimit -n`, `ulimit -u`), or use fewer --jobs",
    ),
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS),
        "Make room, or name another folder in the environment variable TMPDIR",
    ),
}
"""Errors of a system that lacks resources, which is no bot's fault; with advice for each."""

STDERR_TAIL = 4 * 1024
"""Bytes of standard error that are kept: the last ones."""

PIPE_READS = 16
"""Maximum reads from a pipe after the end: enough for the largest pipe, even if it is refilled."""


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


@dataclass
class _Pipes:
    """The output read so far."""

    output: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    size: int = 0
    """Bytes of standard output, kept or not."""

    def read(self, fd: int, is_output: bool) -> bool:
        """Read once from a pipe. Return whether there may be more."""
        try:
            data = os.read(fd, CAP)
        except BlockingIOError:
            return False
        if is_output:
            self.size += len(data)
            self.output += data[: CAP + 1 - len(self.output)]
        else:
            self.stderr = (self.stderr + data)[-STDERR_TAIL:]
        return bool(data)


def check_resources(error: BaseException, where: str = "") -> None:
    """Raise RefereeError if ``error`` means that the system lacks resources to start a bot."""
    if isinstance(error, OSError) and error.errno in NO_RESOURCES:
        at = f" in {where}" if where else ""
        raise RefereeError(
            f"no bot can be started{at}: {error.strerror}. {NO_RESOURCES[error.errno]}."
        ) from error


def read_output(
    out: int,
    err: int,
    exited: int,
    ended: Callable[[], bool],
    kill: Callable[[], None],
    watch: Watch,
) -> Outcome:
    """Read the pipes ``out`` and ``err`` until a process ends, is too slow, or floods its output.

    ``exited`` is readable when the process may have ended; ``ended`` then returns whether it has.
    ``kill`` is always called at the end, and kills the process and its group.
    """
    outcome, pipes = Outcome(), _Pipes()
    poll = select.poll()
    for fd in (out, err):
        os.set_blocking(fd, False)
    poll.register(exited, select.POLLIN)
    over = reading = False
    while not (over or outcome.flooded or outcome.timed_out):
        patience = watch.patience()
        ready = [fd for fd, _ in poll.poll(patience * 1000)]
        if not (ready or reading):
            reading = True
            for fd in (out, err):
                poll.register(fd, select.POLLIN)
        for fd in ready:
            if fd == exited:
                over = ended()
            elif not pipes.read(fd, fd == out):
                poll.unregister(fd)
        outcome.flooded = pipes.size > FLOOD
        outcome.timed_out = patience == 0 and not (over or outcome.flooded)
    # Output written before the end is still in the pipes. Later output of children is ignored.
    kill()
    for fd in (out, err):
        for _ in range(PIPE_READS):
            if not pipes.read(fd, fd == out):
                break
    outcome.output, outcome.stderr = bytes(pipes.output), bytes(pipes.stderr)
    return outcome


def kill_group(pid: int) -> None:
    """Kill every process of a group, if the group exists."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
