"""What a bot may use, besides the time that its game's settings give it.

Which of these are in force depends on the isolation, and is kept in the evidence (docs/isolation.md
has the table).
"""

from __future__ import annotations

import math
import resource

ADDRESS_SPACE = 4 << 30
"""Bytes of memory that one process may map."""

FILE = 64 << 20
"""No file that a bot writes grows beyond this many bytes."""

OPEN_FILES = 256
"""Descriptors that one process may have open."""

PROCESSES = 64
"""Processes and threads that may be there at the same time, in a sandbox."""

SCRATCH = 128 << 20
"""Bytes that all that is written in a sandbox may take, wherever it is written."""

MEMORY = 1 << 30
"""Bytes that all processes of a sandbox may use together, with what they write; by cgroup."""

SIGNALS = 64
"""Signals that may be queued in a sandbox, and timers that send them."""

LOCKED = 64 << 10
"""Bytes that one process may keep from being swapped."""

RLIMIT_MSGQUEUE = 12
"""The kind of limit for the bytes in message queues, which Python has no name for."""


def cpu_seconds(time_limit: float) -> int:
    """How long one process may compute in a decision of ``time_limit`` seconds.

    Longer than the decision, so that one thread that computes without end is too slow.
    """
    return math.ceil(time_limit) + 1


def by_process(place: str) -> dict[int, int]:
    """The limits of each process, by kind, as setrlimit(2) has them, at a level of isolation."""
    limits = {
        resource.RLIMIT_AS: ADDRESS_SPACE,
        resource.RLIMIT_FSIZE: FILE,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 1,  # 0 would not keep a program that collects them from getting one
    }
    if place == "sandbox":  # elsewhere they count for everything that the user runs
        limits |= {
            resource.RLIMIT_NPROC: PROCESSES,
            resource.RLIMIT_SIGPENDING: SIGNALS,
            resource.RLIMIT_MEMLOCK: LOCKED,
            RLIMIT_MSGQUEUE: 0,
        }
    return {kind: within(kind, limit) for kind, limit in limits.items()}


def within(kind: int, limit: int) -> int:
    """``limit``, or what this process itself is held to, if that is less."""
    own = resource.getrlimit(kind)[1]
    return limit if own == resource.RLIM_INFINITY else min(limit, own)


def text(place: str) -> str:
    """The same for a command line."""
    return ",".join(f"{kind}={limit}" for kind, limit in by_process(place).items())


def in_force(place: str, protocol: str, time_limit: float, grouped: bool) -> dict[str, object]:
    """For the evidence: what bots are held to. With ``grouped``, sandboxes are in cgroups."""
    if place == "none" and protocol == "class":
        return {}  # they are in the referee's own process
    kinds = by_process(place)
    found: dict[str, object] = {
        "wall_s": time_limit,
        "address_space": kinds[resource.RLIMIT_AS],
        "file": kinds[resource.RLIMIT_FSIZE],
        "open_files": kinds[resource.RLIMIT_NOFILE],
    }
    found["cpu_s"] = cpu_seconds(time_limit)
    if place == "sandbox":
        found |= {"processes": kinds[resource.RLIMIT_NPROC], "scratch": SCRATCH}
        if grouped:
            found["memory"] = MEMORY
    return found
