"""One process, started cold: its output, how it ended, and nothing of it left behind."""

from __future__ import annotations

import errno
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from referee.errors import RefereeError
from schema.raw import CAP

FLOOD = 16 * 1024 * 1024
"""Standard output beyond this is not waited for: the process is killed at once."""

FILE_LIMIT = 64 * 1024 * 1024
"""No file that a bot writes grows beyond this many bytes."""

WANT = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""What the system lacks for a process; that is not the bot's fault."""

STDERR_TAIL = 4 * 1024

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


def run(
    command: Sequence[str], cwd: Path, environment: Mapping[str, str], time_limit: float
) -> Outcome:
    """Run ``command`` to its end, or for ``time_limit`` seconds, whichever comes first.

    It runs in a session of its own, with nothing on its standard input; when it ends, its whole
    process group is killed, so that what it left behind neither lives on nor holds its pipes.
    """
    begun = time.monotonic()
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        check_means(error)
        return Outcome(error=str(error), seconds=time.monotonic() - begun)
    try:
        limit(process.pid)
        outcome = _attend(process, begun + time_limit)
    finally:
        end(process)
    outcome.exit = process.returncode
    outcome.seconds = time.monotonic() - begun
    return outcome


def check_means(error: Exception) -> None:
    """Raises RefereeError where a process could not be started for want of the referee's means."""
    if isinstance(error, OSError) and error.errno in WANT:
        raise RefereeError(
            f"no bot can be started: {error.strerror}. Raise the limits on files and processes "
            "(`ulimit -n`, `ulimit -u`), or use fewer --jobs."
        ) from error


def limit(pid: int) -> None:
    """Limit what a process may write to a file, and let it leave no core."""
    # It may have ended already, or have become another user's.
    with suppress(ProcessLookupError, PermissionError):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _attend(process: subprocess.Popen[bytes], deadline: float) -> Outcome:
    """Read the pipes until the process exits, is too slow, or floods its output."""
    assert process.stdout is not None
    assert process.stderr is not None
    outcome, pipes = Outcome(), _Pipes()
    out, err = process.stdout.fileno(), process.stderr.fileno()
    exited = os.pidfd_open(process.pid)
    poll = select.poll()
    for fd in (out, err, exited):
        poll.register(fd, select.POLLIN)
        if fd != exited:
            os.set_blocking(fd, False)
    try:
        ended = False
        while not ended and not outcome.flooded:
            left = deadline - time.monotonic()
            if left <= 0:
                outcome.timed_out = True
                break
            for fd, _ in poll.poll(left * 1000):
                if fd == exited:
                    ended = True
                elif not pipes.take(fd, fd == out):
                    poll.unregister(fd)
            outcome.flooded = pipes.flood > FLOOD
    finally:
        os.close(exited)
    # What it wrote before it ended is still in the pipes; what its children write now is not its.
    _kill_group(process.pid)
    for fd in (out, err):
        for _ in range(PIPE_READS):
            if not pipes.take(fd, fd == out):
                break
    outcome.output, outcome.stderr = bytes(pipes.output), bytes(pipes.stderr)
    return outcome


def exit_status(process: subprocess.Popen[bytes]) -> int | None:
    """How a process ended, negative for a signal, None if it has not; it stays to be reaped."""
    found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return None
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads a group, with all of the group, and close its pipes."""
    # The process is not reaped yet, so that its group's number cannot be anybody else's.
    _kill_group(process.pid)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
