"""Limits on memory, files and processes of bots; the time limit is a setting of the game.

The isolation decides which limits are in force. The evidence records them, and docs/isolation.md
has a table.
"""

from __future__ import annotations

import math
import resource

ADDRESS_SPACE = 4 << 30
"""Maximum bytes of memory that one process maps."""

FILE = 64 << 20
"""Maximum bytes of a file that a bot writes."""

OPEN_FILES = 256
"""Maximum number of open descriptors in one process."""

PROCESSES = 64
"""Maximum number of processes and threads in a sandbox at the same time."""

SCRATCH = 128 << 20
"""Maximum bytes of all files written in a sandbox."""

MEMORY = 1 << 30
"""Maximum bytes of memory of all processes of a sandbox with their files, set by cgroup."""

SIGNALS = 64
"""Maximum number of queued signals in a sandbox, including those of timers."""

LOCKED = 64 << 10
"""Maximum bytes of memory that one process locks."""

RLIMIT_MSGQUEUE = 12
"""The kind of the limit on bytes in message queues; Python has no name for it."""


def cpu_seconds(time_limit: float, decisions: int = 1) -> int:
    """Return the maximum seconds of processor time of a process in one or more decisions.

    It is more than ``time_limit``, so that a single busy thread is a timeout and not a crash.
    """
    return _possible(resource.RLIMIT_CPU, decisions * (math.ceil(time_limit) + 1))


def by_process(isolation: str) -> dict[int, int]:
    """Return the limits of each process at an isolation, by their kinds in setrlimit(2)."""
    limits = {
        resource.RLIMIT_AS: ADDRESS_SPACE,
        resource.RLIMIT_FSIZE: FILE,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 1,  # 0 would still send a core dump to a program
        resource.RLIMIT_RTPRIO: 0,  # the user may have more, for example to play sound
        resource.RLIMIT_NICE: 0,
    }
    if isolation == "sandbox":  # elsewhere they count all processes of the user
        limits |= {
            resource.RLIMIT_NPROC: PROCESSES,
            resource.RLIMIT_SIGPENDING: SIGNALS,
            resource.RLIMIT_MEMLOCK: LOCKED,
            RLIMIT_MSGQUEUE: 0,
        }
    return {kind: _possible(kind, limit) for kind, limit in limits.items()}


def _possible(kind: int, limit: int) -> int:
    """Return a limit, or that of this process if it is lower, since no process can raise it."""
    own = resource.getrlimit(kind)[1]
    return limit if own == resource.RLIM_INFINITY else min(limit, own)


def text(isolation: str) -> str:
    """Return the limits of each process as one word of a command line."""
    return ",".join(f"{kind}={limit}" for kind, limit in by_process(isolation).items())


def in_force(isolation: str, time_limit: float, grouped: bool) -> dict[str, object]:
    """Return the limits for the evidence. With ``grouped``, sandboxes are in cgroups."""
    kinds = by_process(isolation)
    values: dict[str, object] = {
        "wall_s": time_limit,
        "address_space": kinds[resource.RLIMIT_AS],
        "file": kinds[resource.RLIMIT_FSIZE],
        "open_files": kinds[resource.RLIMIT_NOFILE],
        "cpu_s": cpu_seconds(time_limit),
    }
    if isolation == "sandbox":
        values |= {"processes": kinds[resource.RLIMIT_NPROC], "scratch": SCRATCH}
        if grouped:
            values["memory"] = MEMORY
    return values
