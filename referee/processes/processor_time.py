"""Processor time of bots: time that they computed, and time that they waited for a processor.

A bot is not too slow because others keep the processors busy. Its time limit holds for the time
that it *used*: wall-clock time less the time in which its threads could have run but had no
processor (the run-queue delay of Linux, second field of ``/proc/PID/schedstat``).

Threads of one bot also wait for each other, so their waiting alone proves nothing. Those that wait
at the same time have waited but once, and a thread that goes on running does not wait. The time
used is therefore never less than the bot's own processor time, up to wall-clock time: a bot that
keeps processors busy gains nothing by making itself wait. After ``LONGEST`` times the limit a bot
is too slow, whatever it waited for.

Where the kernel has no such statistics, the limit is one of wall-clock time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

LONGEST = 10
"""Multiple of the time limit after which a bot is too slow, whatever it waited for."""

FIRST_READING = 0.01
"""Seconds of a decision before its bot is measured; most decisions are over by then."""

PAUSE = 0.02
"""Maximum seconds between two readings. What a thread waited after the last one is lost."""

MANY = 256
"""Maximum number of a bot's processes, and of its threads, that are measured."""

TICK = 1 / os.sysconf("SC_CLK_TCK")
NANOSECOND = 1e-9


def used(wall: float, computed: float, waited: float) -> float:
    """Return the seconds that count against a time limit, between 0 and ``wall``."""
    return max(wall - waited, min(wall, computed))


class Watch:
    """The time limit of one decision, which begins now.

    ``measure`` returns the meter of the bot's process; it is called after ``FIRST_READING`` and may
    well make the meter then. Without it, wall-clock time counts. Poll for at most ``patience()``
    seconds at a time, until that is 0.
    """

    def __init__(self, limit: float, measure: Callable[[], Meter] | None = None) -> None:
        self.limit = limit
        self.begun = time.monotonic()
        self.meter: Meter | None = None
        self._measure = measure
        self._pause = min(FIRST_READING, limit)

    @property
    def wall(self) -> float:
        """Seconds of wall-clock time since then."""
        return time.monotonic() - self.begun

    def patience(self) -> float:
        """Return the seconds after which to ask again, 0 if the bot is too slow by now."""
        wall = self.wall
        if self._measure is None:
            return max(0.0, self.limit - wall)
        if wall < self._pause:
            return self._pause - wall
        if self.meter is None:
            self.meter = self._measure()
        self.meter.read()
        left = self.limit - used(wall, self.meter.computed, self.meter.waited)
        patience = max(0.0, min(PAUSE, left, LONGEST * self.limit - wall))
        self._pause = wall + patience
        return patience


@dataclass
class _Thread:
    """The last reading of a thread."""

    numbers: tuple[int, ...]
    """Its ``schedstat``: how long it ran and waited, in ns, and how often it got a processor."""
    since: float
    """When it was last seen to run or to sleep."""
    counted: float
    """Seconds of waiting that were counted."""


class Meter:
    """Measures a process, its threads and its descendants, from the meter's creation on.

    ``adopter`` is the process that gets the bot's orphans, and no other children: the first process
    of a sandbox. The number of the process must not be given to another one meanwhile: its parent
    has not reaped it.
    """

    def __init__(self, pid: int, adopter: int = 0) -> None:
        self.computed = 0.0
        """Seconds of processor time, all threads and all children that were waited for included."""
        self.waited = 0.0
        """Seconds for which a thread waited for a processor; of several, those of the longest."""
        self._pid, self._adopter = pid, adopter
        self._threads: dict[int, _Thread] = {}
        self._own: dict[int, float] = {}
        self._before = self._own_before = self._gone = 0.0
        self._last = time.monotonic()
        self.read()
        self._before, self._own_before = self.computed, sum(self._own.values())
        self.computed = self.waited = 0.0

    def read(self) -> None:
        """Update ``computed`` and ``waited``, which never decrease."""
        now = time.monotonic()
        children = longest = 0.0
        own = {}
        for pid in self.processes():
            own[pid] = _own(pid)
            children += _of_children(pid)
            for number in _threads(pid):
                if number in self._threads or len(self._threads) < MANY:
                    longest = max(longest, self._read_thread(pid, number, now))
        waited_for = children + sum(own.values()) - self._before
        self.computed = max(self.computed, waited_for, self._with_gone(own) - self._own_before)
        # Threads that wait at the same time, were it for each other, have waited but once.
        self.waited += min(longest, now - self._last)
        self._last = now

    def _with_gone(self, own: dict[int, float]) -> float:
        """Return the processor time of processes, with what those that are gone had when last seen.

        The kernel adds to no parent what a child computed that nobody waits for.
        """
        self._gone += sum(last for pid, last in self._own.items() if own.get(pid, 0.0) < last)
        self._own = own
        return self._gone + sum(own.values())

    def _read_thread(self, pid: int, number: int, now: float) -> float:
        """Return for how long a thread has waited since its last reading."""
        numbers = tuple(map(int, _text(f"/proc/{pid}/task/{number}/schedstat").split()))
        if len(numbers) != 3:
            return 0.0
        waited = numbers[1] * NANOSECOND
        last = self._threads.get(number)
        if last is None or numbers[1] < last.numbers[1]:  # or a new one with an old one's number
            last = _Thread(numbers, now, 0.0)
        elif numbers == last.numbers and _is_runnable(pid, number):
            waited += now - last.since  # the kernel adds a delay when it is over
        else:
            last.numbers, last.since = numbers, now
        self._threads[number] = last
        more = max(0.0, waited - last.counted)
        last.counted += more
        return more

    def processes(self) -> list[int]:
        """Return the numbers of the bot's processes, of which at most ``MANY`` are looked for."""
        pids = dict.fromkeys(pid for pid in (self._pid, *_children(self._adopter)) if pid)
        parents = list(pids)
        while parents and len(pids) < MANY:
            children = [pid for pid in _children(parents.pop()) if pid not in pids]
            pids |= dict.fromkeys(children)
            parents += children
        return list(pids)


def number_of(pidfd: int) -> int:
    """Return the number of the process of a descriptor (pidfd_open), 0 if it is gone."""
    for line in _text(f"/proc/self/fdinfo/{pidfd}").splitlines():
        if line.startswith("Pid:"):
            return max(0, int(line[4:]))
    return 0


def _own(pid: int) -> float:
    """Return the processor time of a process."""
    try:
        return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3)
    except OSError:
        return 0.0


def _of_children(pid: int) -> float:
    """Return the processor time of the children that a process has waited for."""
    return sum(map(int, _stat(f"/proc/{pid}/stat")[13:15])) * TICK


def _is_runnable(pid: int, thread: int) -> bool:
    return _stat(f"/proc/{pid}/task/{thread}/stat")[:1] == ["R"]


def _stat(path: str) -> list[str]:
    """Return the fields of a process from the third on, which is its state; see proc(5)."""
    return _text(path).rpartition(")")[2].split()


def _threads(pid: int) -> list[int]:
    try:
        return list(map(int, os.listdir(f"/proc/{pid}/task")))  # noqa: PTH208
    except OSError:
        return []


def _children(pid: int) -> Iterator[int]:
    """Yield the children of all threads of a process."""
    for thread in _threads(pid) if pid else ():
        yield from map(int, _text(f"/proc/{pid}/task/{thread}/children").split())


def _text(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(descriptor, 1 << 16).decode(errors="replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)
