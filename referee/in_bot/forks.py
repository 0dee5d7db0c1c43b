"""The forks of a helper: how they ended, what they spent, and the end of all that they left.

Nothing of Koth is imported here, and little else.
"""

from __future__ import annotations

import os
from _signal import SIGKILL  # type: ignore[import-not-found] # signal loads much more
from time import clock_gettime

SET_CHILD_SUBREAPER = 36
"""For prctl(2)."""

GENERATIONS = 100
"""How often children are looked for: those of one that is killed come after it."""

TICKS = os.sysconf("SC_CLK_TCK")


def adopt_orphans() -> None:
    """Let what a fork leaves behind become a child of this process, in whatever session it is."""
    from _ctypes import call_function, dlopen, dlsym

    prctl = dlsym(dlopen(None, 0), "prctl")  # type: ignore[arg-type] # this program itself
    call_function(prctl, (SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def status(number: int) -> int:
    """How a fork ended; it stays to be reaped."""
    found = os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)
    assert found is not None
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def spent(number: int) -> tuple[int, int]:
    """How long a process that ended had a processor, with its children, and waited for one, in μs.

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
    """Kill and reap all children but some, and those that become children by that."""
    for _ in range(GENERATIONS):
        try:
            numbers = set(map(int, text(f"/proc/self/task/{os.getpid()}/children").split())) - kept
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


def text(path: str) -> bytes:
    """The content of a small file of /proc."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)
