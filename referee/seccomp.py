"""System calls that bots are denied in a sandbox, as a filter for seccomp(2), in classic BPF.

A sandbox outlives a bot's decisions, and its namespaces hold more than files: objects of System V,
keys, counters of the network. And two bots of a match may see the same file of the system, and tell
each other something by a lock on it. What makes such things is refused here, along with calls by
which kernels were broken into, and calls that steer another process: the sandbox's first.
"""

from __future__ import annotations

import errno
import fcntl
import platform
import socket
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Where they stand in what a filter is given; an argument has eight bytes, the lower four first."""

ALLOW, FAIL = 0x7FFF0000, 0x00050000
DONE = FAIL | 0
"""The call is left out, and says that it went well."""

SECOND_SET = 0x40000000
"""Numbers from here on are another way to the same calls, on x86_64."""


@dataclass(frozen=True)
class Rule:
    """What becomes of some calls: by the value of an argument, and otherwise."""

    calls: str
    otherwise: int
    argument: int = 0
    values: Mapping[int, int] = field(default_factory=dict)


MISSING, FORBIDDEN = FAIL | errno.ENOSYS, FAIL | errno.EPERM

RULES = (
    Rule("shmget semget msgget mq_open", MISSING),
    Rule("add_key request_key keyctl", MISSING),
    Rule("inotify_init inotify_init1 fanotify_init", MISSING),
    Rule("perf_event_open bpf userfaultfd io_uring_setup io_setup syslog", MISSING),
    Rule("socket socketpair", FAIL | errno.EAFNOSUPPORT, 0, {socket.AF_UNIX: ALLOW}),
    # Marks on files that are there every time, and what of them is in memory.
    Rule("utime utimes futimesat utimensat", DONE),
    Rule("setxattr lsetxattr fsetxattr", FAIL | errno.EOPNOTSUPP),
    Rule("fadvise64", DONE),
    Rule("preadv2", FAIL | errno.EOPNOTSUPP, 5, {0: ALLOW}),
    Rule("cachestat", MISSING),
    # A bot has its files to itself, and need not wait for a lock.
    Rule("flock", DONE),
    Rule(
        "fcntl",
        ALLOW,
        1,
        {
            fcntl.F_SETLK: DONE,
            fcntl.F_SETLKW: DONE,
            fcntl.F_OFD_SETLK: DONE,
            fcntl.F_OFD_SETLKW: DONE,
            fcntl.F_SETLEASE: FAIL | errno.EINVAL,
            fcntl.F_NOTIFY: FAIL | errno.EINVAL,
        },
    ),
    Rule("prlimit64 sched_setaffinity sched_setscheduler", FORBIDDEN, 0, {0: ALLOW}),
    Rule("sched_setparam sched_setattr", FORBIDDEN, 0, {0: ALLOW}),
    Rule("setpriority", DONE),
    Rule("ioprio_set", FORBIDDEN),
)

NAMES = """shmget semget msgget mq_open add_key request_key keyctl inotify_init inotify_init1
    fanotify_init perf_event_open bpf userfaultfd io_uring_setup io_setup syslog socket socketpair
    utime utimes futimesat utimensat setxattr lsetxattr fsetxattr fadvise64 preadv2 cachestat
    flock fcntl prlimit64 sched_setaffinity sched_setscheduler sched_setparam sched_setattr
    setpriority ioprio_set"""
X86_64 = """29 64 68 240 248 249 250 253 294
    300 298 321 323 425 206 103 41 53
    132 235 261 280 188 189 190 221 327 451
    73 72 302 203 144 142 314
    141 251"""
AARCH64 = """194 190 186 180 217 218 219 - 26
    262 241 280 282 425 0 116 198 199
    - - - 88 5 6 7 223 286 451
    32 25 261 122 119 118 274
    140 30"""

MACHINES = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}
"""By name: what <linux/audit.h> calls it, and the numbers of the calls in <asm/unistd.h>."""


def program(machine: str = "") -> bytes:
    """The filter for a machine, which is this one unless it is named; none where it is unknown."""
    if (machine or platform.machine()) not in MACHINES:
        return b""
    architecture, numbers = MACHINES[machine or platform.machine()]
    known = dict(zip(NAMES.split(), numbers.split(), strict=True))
    steps = [
        *((LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, MISSING)),
        *((LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, SECOND_SET), (RETURN, 0, 0, MISSING)),
    ]
    for rule in RULES:
        for call in rule.calls.split():
            if known[call] != "-":
                then = list(consequence(rule))
                steps += [(EQUAL, 0, len(then), int(known[call])), *then]
    return b"".join(struct.pack("HBBI", *step) for step in [*steps, (RETURN, 0, 0, ALLOW)])


def consequence(rule: Rule) -> Iterator[tuple[int, int, int, int]]:
    """The steps that end a call of ``rule``."""
    if rule.values:
        yield LOAD, 0, 0, ARGUMENTS + 8 * rule.argument
    for value, end in rule.values.items():
        yield EQUAL, 0, 1, value
        yield RETURN, 0, 0, end
    yield RETURN, 0, 0, rule.otherwise
