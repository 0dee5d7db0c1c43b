"""Measure the processor time of bots, and the time for which they waited for a processor.

A bot is not too slow because others keep the processors busy. Its time limit holds for the time
that it *used*: wall-clock time less the time in which its threads could have run but had no
processor (the run-queue delay of Linux, second field of ``/proc/PID/schedstat``).

Threads of one bot also wait for each other. Threads that wait at the same time count once. The
time used is never less than the bot's own processor time, up to wall-clock time. So a bot that
keeps processors busy gains nothing by making itself wait. The processor time of a child that nobody
waits for is lost at its end; the time in which it may have run after its last reading counts as
processor time. After ``MAX_WALL_FACTOR`` times the limit a bot is too slow in any case.

Where the kernel has no such statistics, the limit is one of wall-clock time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

MAX_WALL_FACTOR = 10
"""Multiple of the time limit after which a bot is too slow in any case."""

FIRST_READING = 0.01
"""Seconds of a decision before its bot is measured; most decisions end earlier."""

INTERVAL = 0.02
"""Maximum seconds between two readings. Waiting after the last reading is not counted."""

MAX_MEASURED = 256
"""Maximum number of a bot's processes, and of its threads, that are measured."""

TICK = 1 / os.sysconf("SC_CLK_TCK")
NANOSECOND = 1e-9


def used(wall: float, computed: float, waited: float) -> float:
    """Return the seconds that count against a time limit, between 0 and ``wall``."""
    return max(wall - waited, min(wall, computed))


class Watch:
    """The time limit of one decision, which begins now.

    ``measure`` is called after ``FIRST_READING`` to create the meter of the bot's process. Poll for
    at most ``patience()`` seconds at a time, until that is 0.
    """

    def __init__(self, limit: float, measure: Callable[[], Meter]) -> None:
        self.limit = limit
        self.begun = time.monotonic()
        self.meter: Meter | None = None
        self._measure = measure
        self._pause = min(FIRST_READING, limit)

    @property
    def wall(self) -> float:
        """Seconds of wall-clock time since the beginning."""
        return time.monotonic() - self.begun

    def patience(self) -> float:
        """Return the seconds after which to call again, or 0 if the time is over."""
        wall = self.wall
        if wall < self._pause:
            return self._pause - wall
        if self.meter is None:
            self.meter = self._measure()  # reads, too
        else:
            self.meter.read()
        computed = self.meter.computed + self.meter.unseen
        left = self.limit - used(wall, computed, self.meter.waited)
        patience = max(0.0, min(INTERVAL, left, MAX_WALL_FACTOR * self.limit - wall))
        self._pause = wall + patience
        return patience


@dataclass
class _Thread:
    """The last reading of a thread."""

    numbers: tuple[int, ...]
    """Its ``schedstat``: nanoseconds of running and of waiting, and the number of time slices."""
    since: float
    """The time at which it was last seen to run or to sleep."""
    counted: float
    """Seconds of waiting that are already counted."""


class Meter:
    """Measure a process, its threads and its descendants, from the meter's creation on.

    ``adopter`` is the process that gets the bot's orphans and no other children: process 1 of a
    sandbox. The process must not be reaped while it is measured, so that its number stays its own.
    """

    def __init__(self, pid: int, adopter: int = 0) -> None:
        self.computed = 0.0
        """Seconds of processor time, including all threads, and children that were waited for."""
        self.waited = 0.0
        """Seconds for which a thread waited for a processor: the longest of several at a time."""
        self.unseen = 0.0
        """Seconds in which children that nobody waited for may have computed unseen."""
        self._pid, self._adopter = pid, adopter
        self._threads: dict[int, _Thread] = {}
        self._own: dict[int, float] = {}
        self._parents: dict[int, int] = {}
        self._faults: dict[int, int] = {}
        """By process: page faults of the children that it has waited for, which all have some."""
        self._before = self._own_before = self._gone = self._uncounted = 0.0
        self._last = time.monotonic()
        self.read()
        self._before, self._own_before = self.computed, sum(self._own.values())
        self.computed = self.waited = 0.0

    def read(self) -> None:
        """Update ``computed``, ``waited`` and ``unseen``, which never decrease."""
        now = time.monotonic()
        elapsed = now - self._last
        children = longest = 0.0
        own, parents, faults = {}, {}, {}
        lives: list[float] = []  # of new processes; those that have ended may have run before them
        if len(self._threads) >= MAX_MEASURED:  # those that have ended make room
            there = [number for number in self._threads if os.path.exists(f"/proc/{number}")]  # noqa: PTH110
            self._threads = {number: self._threads[number] for number in there}
        for pid in self.processes():
            own[pid] = _own(pid)
            stat = _stat(f"/proc/{pid}/stat")
            children += sum(map(int, stat[13:15])) * TICK  # of those that it has waited for
            parents[pid], faults[pid] = (int(stat[1]), int(stat[8])) if stat[8:] else (0, 0)
            delay = 0.0
            for number in _threads(pid):
                if number in self._threads or len(self._threads) < MAX_MEASURED:
                    delay = max(delay, self._read_thread(pid, number, now))
            longest = max(longest, delay)
            if pid not in self._own:
                lives.append(own[pid] + delay)
        if self._is_any_lost(faults):
            self.unseen += max(0.0, elapsed - min(lives, default=0.0))
        self._parents, self._faults = parents, faults
        waited_for = children + sum(own.values()) - self._before
        self.computed = max(self.computed, waited_for, self._with_gone(own) - self._own_before)
        # Threads that wait at the same time count once, even if they wait for each other.
        # The kernel adds a delay at its end; it may have begun before the last reading.
        counted = min(longest, elapsed + self._uncounted)
        self.waited += counted
        self._uncounted = max(0.0, elapsed - counted)
        self._last = now

    def _is_any_lost(self, faults: Mapping[int, int]) -> bool:
        """Return whether a process has ended for which its parent was not seen to wait."""
        gone = self._parents.keys() - faults.keys()
        # A parent that has ended as well passed on the time of those that it waited for.
        parents = {self._parents[pid] for pid in gone} - gone
        return any(faults.get(pid, 0) <= self._faults.get(pid, 0) for pid in parents)

    def _with_gone(self, own: dict[int, float]) -> float:
        """Return the processor time of all processes, including the last reading of ended ones.

        The kernel adds the time of a child to its parent only if the parent waits for the child.
        """
        self._gone += sum(last for pid, last in self._own.items() if own.get(pid, 0.0) < last)
        self._own = own
        return self._gone + sum(own.values())

    def _read_thread(self, pid: int, number: int, now: float) -> float:
        """Return the seconds for which a thread has waited since its last reading."""
        numbers = tuple(map(int, _text(f"/proc/{pid}/task/{number}/schedstat").split()))
        if len(numbers) != 3:
            return 0.0
        waited = numbers[1] * NANOSECOND
        last = self._threads.get(number)
        if last is None or numbers[1] < last.numbers[1]:  # or a new thread with an old number
            last = _Thread(numbers, now, 0.0)
        elif numbers == last.numbers and _is_runnable(pid, number):
            waited += now - last.since  # the kernel adds a delay only at its end
        else:
            last.numbers, last.since = numbers, now
        self._threads[number] = last
        more = max(0.0, waited - last.counted)
        last.counted += more
        return more

    def processes(self) -> list[int]:
        """Return the process numbers of the bot, at most about ``MAX_MEASURED``."""
        return [pid for pid, _ in self.walk()]

    def walk(self) -> Iterator[tuple[int, int]]:
        """Yield the bot's processes, each with the parent that it was found at, 0 for the first.

        The children of a process are looked for after it was yielded. The newest come first.
        """
        pids: set[int] = set()

        def tree(found: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
            while found and len(pids) < MAX_MEASURED:
                pid, parent = found.pop()
                if pid not in pids:
                    pids.add(pid)
                    yield pid, parent
                    found += [(child, pid) for child in _children(pid)]

        yield from tree([(self._pid, 0)] if self._pid else [])
        yield from tree([(child, self._adopter) for child in _children(self._adopter)])


def number_of(pidfd: int) -> int:
    """Return the process number of a descriptor (pidfd_open(2)), 0 if the process ended."""
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


def _is_runnable(pid: int, thread: int) -> bool:
    return _stat(f"/proc/{pid}/task/{thread}/stat")[:1] == ["R"]


def _stat(path: str) -> list[str]:
    """Return the fields of a stat file from the third, the state, on; see proc(5)."""
    return _text(path).rpartition(")")[2].split()


def _threads(pid: int) -> list[int]:
    try:
        return list(map(int, os.listdir(f"/proc/{pid}/task")))  # noqa: PTH208
    except OSError:
        return []


def is_child(pid: int, parent: int) -> bool:
    """Return whether a process is a child of another one now."""
    return _stat(f"/proc/{pid}/stat")[1:2] == [str(parent)]


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
