"""One process: its output, how it ended, and nothing of it left behind."""

from __future__ import annotations

import errno
import os
import re
import resource
import select
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from referee import limits
from referee.errors import RefereeError
from referee.processor_time import Watch
from schema.raw import CAP

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


@dataclass(frozen=True)
class Attached:
    """A process that goes on, with pipes to and from it."""

    messages: int
    """Its standard input."""
    lines: int
    """Its standard output."""
    errors: int
    """Its standard error."""
    exited: int
    """A descriptor that can be read when it has ended."""
    status: Callable[[], int | None]
    """How it ended, negative for a signal, None if it has not."""
    end: Callable[[], None]
    """Ends it with all that it started, and closes the pipes."""


def attached(command: Sequence[str], cwd: Path | str, environment: Mapping[str, str]) -> Attached:
    """Start a program of the referee's that goes on, in a session of its own.

    It has its limits before it gets a message, and runs nothing of a bot before that. Raises
    OSError, and ValueError for a command that no system takes.
    """
    started = subprocess.Popen(
        command,
        cwd=cwd,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    try:
        limit(started.pid)
        exited = os.pidfd_open(started.pid)
    except BaseException:
        end(started)
        raise
    messages, lines, errors = (
        pipe.fileno() for pipe in (started.stdin, started.stdout, started.stderr) if pipe
    )
    for pipe in (messages, lines, errors):
        os.set_blocking(pipe, False)

    def finish() -> None:
        os.close(exited)
        end(started)

    return Attached(messages, lines, errors, exited, lambda: exit_status(started), finish)


def check_means(error: BaseException, where: str = "") -> None:
    """Raises RefereeError where a bot could not be started because the referee lacks the means."""
    if isinstance(error, OSError) and error.errno in WANT:
        at = f" in {where}" if where else ""
        raise RefereeError(
            f"no bot can be started{at}: {error.strerror}. {WANT[error.errno]}."
        ) from error


def limit(pid: int) -> None:
    """Limit what a process may use."""
    # It may have ended already, or have become another user's.
    with suppress(ProcessLookupError, PermissionError):
        for kind, most in limits.by_process("process").items():
            resource.prlimit(pid, kind, (most, most))


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


def exit_status(process: subprocess.Popen[bytes]) -> int | None:
    """How a process ended, negative for a signal, None if it has not; it stays to be reaped."""
    found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return None
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


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
