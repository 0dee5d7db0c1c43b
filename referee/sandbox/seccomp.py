"""System calls that bots are denied in a sandbox, as a filter for seccomp(2), in classic BPF.

A sandbox outlives a bot's decisions, and its namespaces hold more than files: objects of System V,
keys, counters of the network. And two bots of a match may see the same file of the system, and tell
each other something by a lock on it. What makes such things is refused here, with calls that count
what happened before, calls by which kernels were broken into, and calls that steer another process.
Calls that are newer than this filter are refused too, as an older kernel would refuse them, and so
are the commands of ioctl(2) and fcntl(2) that it does not know.
"""

from __future__ import annotations

import errno
import fcntl
import platform
import socket
import struct
import termios
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Where they stand in what a filter is given; an argument has eight bytes, the lower four first."""

ALLOW, FAIL = 0x7FFF0000, 0x00050000
DONE = FAIL | 0
"""The call is left out, and says that it went well."""

NEWEST = 450
"""The last number that is allowed, on every machine. On x86_64 there is another set far above."""

FIRST = 0xFFFFFFF0
"""For calls with a clock: from here on are the eight of process 1, which run on from bot to bot."""

F_SETOWN_EX, F_GETOWN_EX = 15, 16
OF_DESCRIPTORS = (
    *(fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD),
    *(fcntl.F_GETFL, fcntl.F_SETFL, fcntl.F_GETLK, fcntl.F_OFD_GETLK, fcntl.F_GETLEASE),
    *(fcntl.F_GETOWN, fcntl.F_SETOWN, F_GETOWN_EX, F_SETOWN_EX, fcntl.F_GETSIG, fcntl.F_SETSIG),
    *(fcntl.F_GETPIPE_SZ, fcntl.F_ADD_SEALS, fcntl.F_GET_SEALS),
)
"""Commands of fcntl(2) that mark nothing but what a bot has made itself."""
LOCKS = (fcntl.F_SETLK, fcntl.F_SETLKW, fcntl.F_OFD_SETLK, fcntl.F_OFD_SETLKW)
OF_STREAMS = (
    *(termios.FIONREAD, termios.FIONBIO, termios.FIOASYNC, termios.FIOCLEX, termios.FIONCLEX),
)
"""Commands of ioctl(2), likewise."""


@dataclass(frozen=True)
class Rule:
    """What becomes of some calls: by the value of an argument, and otherwise."""

    calls: str
    otherwise: int
    argument: int = 0
    values: Mapping[int, int] = field(default_factory=dict)


MISSING, FORBIDDEN = FAIL | errno.ENOSYS, FAIL | errno.EPERM
INVALID, UNSUPPORTED = FAIL | errno.EINVAL, FAIL | errno.EOPNOTSUPP

RULES = (
    Rule("shmget semget msgget mq_open", MISSING),
    Rule("add_key request_key keyctl", MISSING),
    Rule("inotify_init inotify_init1 fanotify_init", MISSING),
    Rule("perf_event_open bpf userfaultfd io_uring_setup io_setup syslog memfd_secret", MISSING),
    Rule("socket socketpair", FAIL | errno.EAFNOSUPPORT, 0, {socket.AF_UNIX: ALLOW}),
    # Marks on files that are there every time, and what of them is in memory.
    Rule("utime utimes futimesat utimensat", DONE),
    Rule("setxattr lsetxattr fsetxattr", UNSUPPORTED),
    Rule("fadvise64", DONE),
    Rule("preadv2", UNSUPPORTED, 5, {0: ALLOW}),
    # Numbers of mounts that are never given again, and times at which files were made.
    Rule("statx", MISSING),
    Rule("name_to_handle_at", UNSUPPORTED),
    # What tells how much the sandbox's first process has done, and how many came after it.
    Rule("pidfd_open", ALLOW, 0, {1: FORBIDDEN}),
    Rule(
        "clock_gettime clock_getres clock_nanosleep timer_create",
        ALLOW,
        0,
        {FIRST + clock: INVALID for clock in range(8)},
    ),
    # A bot has its files to itself, and need not wait for a lock.
    Rule("flock", DONE),
    Rule("fcntl", INVALID, 1, dict.fromkeys(OF_DESCRIPTORS, ALLOW) | dict.fromkeys(LOCKS, DONE)),
    Rule("ioctl", FAIL | errno.ENOTTY, 1, dict.fromkeys(OF_STREAMS, ALLOW)),
    # A process that another one traces may not be reaped by its parent.
    Rule("ptrace", FORBIDDEN),
    Rule("prlimit64 sched_setaffinity sched_setscheduler", FORBIDDEN, 0, {0: ALLOW}),
    Rule("sched_setparam sched_setattr", FORBIDDEN, 0, {0: ALLOW}),
    Rule("setpriority", DONE),
    Rule("ioprio_set", FORBIDDEN),
)

CALLS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "fcntl": (72, 25),
    "flock": (73, 32),
    "fsetxattr": (190, 7),
    "futimesat": (261, None),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "ioprio_set": (251, 30),
    "keyctl": (250, 219),
    "lsetxattr": (189, 6),
    "memfd_secret": (447, 447),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "perf_event_open": (298, 241),
    "pidfd_open": (434, 434),
    "preadv2": (327, 286),
    "prlimit64": (302, 261),
    "ptrace": (101, 117),
    "request_key": (249, 218),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "semget": (64, 190),
    "setpriority": (141, 140),
    "setxattr": (188, 5),
    "shmget": (29, 194),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "statx": (332, 291),
    "syslog": (103, 116),
    "timer_create": (222, 107),
    "userfaultfd": (323, 282),
    "utime": (132, None),
    "utimensat": (280, 88),
    "utimes": (235, None),
}
"""The numbers of the calls in <asm/unistd.h>, on each of MACHINES; None where there is none."""

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""What <linux/audit.h> calls them."""


def program(machine: str = "") -> bytes:
    """The filter for a machine, which is this one unless it is named; none where it is unknown."""
    machine = machine or platform.machine()
    if machine not in MACHINES:
        return b""
    column = list(MACHINES).index(machine)
    steps = [
        *((LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, MACHINES[machine]), (RETURN, 0, 0, MISSING)),
        *((LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, NEWEST + 1), (RETURN, 0, 0, MISSING)),
    ]
    for rule in RULES:
        for call in rule.calls.split():
            number = CALLS[call][column]
            if number is not None:
                then = list(consequence(rule))
                steps += [(EQUAL, 0, len(then), number), *then]
    return b"".join(struct.pack("HBBI", *step) for step in [*steps, (RETURN, 0, 0, ALLOW)])


def consequence(rule: Rule) -> Iterator[tuple[int, int, int, int]]:
    """The steps that end a call of ``rule``."""
    if rule.values:
        yield LOAD, 0, 0, ARGUMENTS + 8 * rule.argument
    for value, end in rule.values.items():
        yield EQUAL, 0, 1, value
        yield RETURN, 0, 0, end
    yield RETURN, 0, 0, rule.otherwise
