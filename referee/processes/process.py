"""One process: its output, how it ended, and nothing of it left behind."""

from __future__ import annotations

import errno
import os
import re
import select
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from referee.errors import RefereeError
from referee.processes.processor_time import Watch
from schema.bot_output import CAP

FLOOD = 16 * 1024 * 1024
"""Standard output beyond this is not waited for: the process is killed at once."""

WANT = {
    **dict.fromkeys(
        (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM),
        "Raise the limits on files and processes (`ulimit -n`, `ulimit -u`), or use fewer --jobs",
    ),
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS),
        "Make room, or name another folder in the environment variable TMPDIR",
    ),
}
"""What the system may lack for a process and its files, through no fault of a bot: what to do."""

STDERR_TAIL = 4 * 1024

PYTHON = re.compile(r"python[0-9.]*")
"""The names of programs that are Python."""

PIPE_READS = 16
"""How often a pipe is read at the end: enough to empty the largest, and an end for what refills."""


@dataclass
class Outcome:
    """How a process ended.

    ``exit`` is its exit status, negative for a signal, None when it could not be started.
    ``output`` holds up to one byte more than a log keeps, to tell that there was more.
    """

    exit: int | None = None
    timed_out: bool = False
    flooded: bool = False
    output: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    computed: float = 0.0
    """Seconds of processor time, with that of the children that were waited for."""
    waited: float = 0.0
    """Seconds in which it could have run but had no processor."""
    error: str = ""

    @property
    def crashed(self) -> bool:
        """Whether it could not be started, exited non-zero, or died by a signal of its own."""
        return self.exit != 0 and not self.timed_out and not self.flooded


@dataclass
class _Pipes:
    """What came out so far."""

    output: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    flood: int = 0

    def take(self, fd: int, is_output: bool) -> bool:
        """Read once. Returns whether there may be more to come."""
        try:
            data = os.read(fd, CAP)
        except BlockingIOError:
            return False
        if is_output:
            self.flood += len(data)
            self.output += data[: CAP + 1 - len(self.output)]
        else:
            self.stderr = (self.stderr + data)[-STDERR_TAIL:]
        return bool(data)


def check_means(error: BaseException, where: str = "") -> None:
    """Raises RefereeError where a bot could not be started because the referee lacks the means."""
    if isinstance(error, OSError) and error.errno in WANT:
        at = f" in {where}" if where else ""
        raise RefereeError(
            f"no bot can be started{at}: {error.strerror}. {WANT[error.errno]}."
        ) from error


def attend(
    out: int,
    err: int,
    exited: int,
    ended: Callable[[], bool],
    kill: Callable[[], None],
    watch: Watch,
) -> Outcome:
    """Read the pipes ``out`` and ``err`` until a process ends, is too slow, or floods its output.

    ``exited`` can be read when it may have ended; ``ended`` says then whether it has. ``kill``
    kills it in any case, with its group.
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
            elif not pipes.take(fd, fd == out):
                poll.unregister(fd)
        outcome.flooded = pipes.flood > FLOOD
        outcome.timed_out = patience == 0 and not (over or outcome.flooded)
    # What it wrote before it ended is still in the pipes; what its children write now is not its.
    kill()
    for fd in (out, err):
        for _ in range(PIPE_READS):
            if not pipes.take(fd, fd == out):
                break
    outcome.output, outcome.stderr = bytes(pipes.output), bytes(pipes.stderr)
    return outcome


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads a group, with all of the group, and close its pipes."""
    # The process is not reaped yet, so that its group's number cannot be anybody else's.
    kill_group(process.pid)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def kill_group(pid: int) -> None:
    """Kill every process of a group, if there is any."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
