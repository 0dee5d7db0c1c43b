"""Report how forks of a fork server ended and what they used, and kill what they left.

This module imports few modules, and none of Koth, because a bot's interpreter loads it.
"""

from __future__ import annotations

import os
from _signal import SIGKILL  # type: ignore[import-not-found] # signal loads much more
from time import clock_gettime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from referee.in_bot.init_process import InitProcess

SET_CHILD_SUBREAPER = 36
"""An operation of prctl(2)."""

MAX_ROUNDS = 100
"""Maximum rounds of killing children: the children of a killed process appear after it."""

SMALL = 448
"""Bytes to read first. More are not in Python's own pools, and touch more pages of memory."""

CHILDREN = "/proc/thread-self/children"

TICKS = os.sysconf("SC_CLK_TCK")

COLD = b"?"
"""The report of a fork that does not run the script."""


def adopt_orphans(adopt: bool = True) -> None:
    """Make orphans of all forks children of this process, in any session, or no longer."""
    from _ctypes import call_function, dlopen, dlsym

    prctl = dlsym(dlopen(None, 0), "prctl")  # type: ignore[arg-type] # this program itself
    call_function(prctl, (SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0))


def status(number: int) -> int:
    """Wait for a fork and return its exit status, negative for a signal. Do not reap it."""
    ended = os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)
    assert ended is not None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def end_fork(number: int, last: int, report: bytes, init: InitProcess | None) -> bytes:
    """Kill everything that a fork left, and return the line that says how the fork ended.

    ``report`` is its own report (see fork_server); ``last`` is the fork before, not yet reaped.
    """
    if init:
        init.kill_all_others()  # a process that another one traces could not be waited for
        line = b"ended %d %d %d\n" % (status(number), *spent(number))
        init.reap_all_others()
        init.free_sockets()
    else:
        line = b"ended %d\n" % status(number)
        end_children({number, last})
    if report == COLD:
        return b"cold\n"
    return b"failed " + report[1:] + b"\n" if len(report) > 1 else line


def spent(number: int) -> tuple[int, int]:
    """Return the microseconds for which an ended process ran, with children, and waited to run.

    See :mod:`referee.processes.processor_time`.
    """
    try:
        own = clock_gettime(~number << 3 | 2)  # clock_getcpuclockid(3)
        ticks = text(f"/proc/{number}/stat").rpartition(b")")[2].split()[13:15]
        waited = int(text(f"/proc/{number}/schedstat").split()[1])
    except (OSError, IndexError):
        return 0, 0
    return int((own + sum(map(int, ticks)) / TICKS) * 1e6), waited // 1000


def end_children(kept: set[int]) -> None:
    """Kill and reap all children except ``kept``, and the orphans that become children then."""
    for _ in range(MAX_ROUNDS):
        try:
            numbers = children() - kept
        except OSError:
            return
        if not numbers:
            return
        for number in numbers:
            try:
                os.kill(number, SIGKILL)
                os.waitpid(number, 0)
            except OSError:
                kept.add(number)


def children() -> set[int]:
    """Return the numbers of the children of this thread. Raises OSError."""
    return set(map(int, text(CHILDREN).split()))


def text(path: str) -> bytes:
    """Return the content of a small file in /proc."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        data = os.read(descriptor, SMALL)
        return data if len(data) < SMALL else data + os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)
