"""Read the output of a bot's process within its limits, and kill its process group at the end."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from referee.outcome import FLOOD, STDERR_TAIL, Outcome
from referee.processes.processor_time import Watch
from schema.bot_output import CAP

PIPE_READS = 16
"""Maximum reads from a pipe after the end: enough for the largest pipe, even if it is refilled."""


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
