"""The system calls that a sandbox refuses, as a filter for seccomp(2) in classic BPF.

A sandbox serves many decisions, and its namespaces keep more than files: System V objects, keys,
network counters. Two bots of a match may also see the same system file and signal each other by a
lock on it. ``CALLS`` therefore refuses calls that leave such traces or read them, calls that were
often used to attack kernels, and calls that control other processes. Calls newer than the filter
fail as on an older kernel; unknown commands of ioctl(2) and fcntl(2) fail too.
"""

from __future__ import annotations

import errno
import fcntl
import platform
import socket
import struct
import termios
from collections.abc import Iterator, Mapping
from typing import NamedTuple

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""Instructions of classic BPF, as in <linux/bpf_common.h>."""

NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Offsets in struct seccomp_data. An argument has eight bytes, the lower four first."""

ALLOW, FAIL = 0x7FFF0000, 0x00050000
"""SECCOMP_RET_ALLOW, and SECCOMP_RET_ERRNO with the error number added."""

IGNORE = FAIL | 0
"""Skip the call and report success."""

MISSING, FORBIDDEN = FAIL | errno.ENOSYS, FAIL | errno.EPERM
INVALID, UNSUPPORTED = FAIL | errno.EINVAL, FAIL | errno.EOPNOTSUPP
NO_FAMILY, NO_TERMINAL = FAIL | errno.EAFNOSUPPORT, FAIL | errno.ENOTTY

NEWEST = 450
"""The highest call number that is allowed; x86_64 has another set of calls far above it."""

F_SETOWN_EX, F_GETOWN_EX = 15, 16
HARMLESS = (
    *(fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD),
    *(fcntl.F_GETFL, fcntl.F_SETFL, fcntl.F_GETLK, fcntl.F_OFD_GETLK, fcntl.F_GETLEASE),
    *(fcntl.F_GETOWN, fcntl.F_SETOWN, F_GETOWN_EX, F_SETOWN_EX, fcntl.F_GETSIG, fcntl.F_SETSIG),
    *(fcntl.F_GETPIPE_SZ, fcntl.F_ADD_SEALS, fcntl.F_GET_SEALS),
)
LOCKS = (fcntl.F_SETLK, fcntl.F_SETLKW, fcntl.F_OFD_SETLK, fcntl.F_OFD_SETLKW)
STREAMS = (
    *(termios.FIONREAD, termios.FIONBIO, termios.FIOASYNC, termios.FIOCLEX, termios.FIONCLEX),
)

OWN = {0: ALLOW}
"""The process 0, which means the calling one."""
NO_FLAGS = {0: ALLOW}
UNIX = {int(socket.AF_UNIX): ALLOW}
INIT = {1: FORBIDDEN}
INIT_CLOCKS = {0xFFFFFFF0 + clock: INVALID for clock in range(8)}
"""Clocks of process 1, which also count the time of earlier bots."""
FCNTL = dict.fromkeys(HARMLESS, ALLOW) | dict.fromkeys(LOCKS, IGNORE)
"""Commands that affect only descriptors of the bot, and locks, which a lone bot does not need."""
IOCTL = dict.fromkeys(STREAMS, ALLOW)
PR_SET_SECCOMP, PR_SCHED_CORE, PR_SET_MEMORY_MERGE = 22, 62, 67
PRCTL = dict.fromkeys((PR_SET_SECCOMP, PR_SCHED_CORE, PR_SET_MEMORY_MERGE), INVALID)
"""Operations that load code, keep other programs off a core, or compare memory with theirs."""
MAP_HUGETLB, MFD_HUGETLB = 0x40000, 0x4
MERGE = {12: INVALID}
"""MADV_MERGEABLE: the time of a write shows whether another program has an equal page."""
SO_ATTACH_FILTER, SO_ATTACH_REUSEPORT_CBPF = 26, 51
SOCKET_FILTERS = dict.fromkeys((SO_ATTACH_FILTER, SO_ATTACH_REUSEPORT_CBPF), FORBIDDEN)
"""Options of sockets that load code into the kernel, whose space is limited for all users."""


class Call(NamedTuple):
    """One system call that the filter changes."""

    name: str
    x86_64: int | None
    """Its number in <asm/unistd.h>; None if this architecture does not have it."""
    aarch64: int | None
    result: int
    """The result, unless ``values`` has another one."""
    reason: str
    argument: int = 0
    """The position of the argument that ``values`` and ``bits`` are about."""
    values: Mapping[int, int] = {}
    bits: int = 0
    """Flags: the filter allows a call without any of them."""


CALLS = (
    Call("shmget", 29, 194, MISSING, "creates a System V object, which outlives its process"),
    Call("semget", 64, 190, MISSING, "creates a System V object, which outlives its process"),
    Call("msgget", 68, 186, MISSING, "creates a System V object, which outlives its process"),
    Call("mq_open", 240, 180, MISSING, "creates a message queue, which outlives its process"),
    Call("add_key", 248, 217, MISSING, "stores a key in the kernel"),
    Call("request_key", 249, 218, MISSING, "reads a key from the kernel"),
    Call("keyctl", 250, 219, MISSING, "changes the keys in the kernel"),
    Call("inotify_init", 253, None, MISSING, "watches files that other bots use"),
    Call("inotify_init1", 294, 26, MISSING, "watches files that other bots use"),
    Call("fanotify_init", 300, 262, MISSING, "watches files that other bots use"),
    Call("perf_event_open", 298, 241, MISSING, "counts events; a frequent way into the kernel"),
    Call("bpf", 321, 280, MISSING, "loads code into the kernel"),
    Call("seccomp", 317, 277, MISSING, "loads code into the kernel"),
    Call("prctl", 157, 167, ALLOW, "loads code into the kernel; reserves a core", 0, PRCTL),
    Call("setsockopt", 54, 208, ALLOW, "loads code into the kernel", 2, SOCKET_FILTERS),
    Call("userfaultfd", 323, 282, MISSING, "a frequent way into the kernel"),
    Call("io_uring_setup", 425, 425, MISSING, "a frequent way into the kernel, past this filter"),
    Call("io_setup", 206, 0, MISSING, "uses a counter of the whole system"),
    Call("syslog", 103, 116, MISSING, "reads messages of the kernel"),
    Call("memfd_secret", 447, 447, MISSING, "uses memory that the kernel cannot read"),
    Call("socket", 41, 198, NO_FAMILY, "uses counters of the network", 0, UNIX),
    Call("socketpair", 53, 199, NO_FAMILY, "uses counters of the network", 0, UNIX),
    Call("utime", 132, None, IGNORE, "marks a system file"),
    Call("utimes", 235, None, IGNORE, "marks a system file"),
    Call("futimesat", 261, None, IGNORE, "marks a system file"),
    Call("utimensat", 280, 88, IGNORE, "marks a system file"),
    Call("setxattr", 188, 5, UNSUPPORTED, "marks a file or the root of the scratch"),
    Call("lsetxattr", 189, 6, UNSUPPORTED, "marks a file or the root of the scratch"),
    Call("fsetxattr", 190, 7, UNSUPPORTED, "marks a file or the root of the scratch"),
    Call("fadvise64", 221, 223, IGNORE, "removes a system file from memory"),
    Call(
        "preadv2", 327, 286, UNSUPPORTED, "with flags: shows whether a file is cached", 5, NO_FLAGS
    ),
    Call("madvise", 28, 233, ALLOW, "compares its memory with that of others", 2, MERGE),
    Call("process_madvise", 440, 440, ALLOW, "compares its memory with others'", 3, MERGE),
    Call("mmap", 9, 222, INVALID, "takes huge pages, which no limit counts", 3, bits=MAP_HUGETLB),
    Call("memfd_create", 319, 279, INVALID, "takes huge pages as well", 1, bits=MFD_HUGETLB),
    Call("mincore", 27, 232, MISSING, "shows whether a file is cached, to its owner"),
    Call("openat2", 437, 437, MISSING, "shows whether the name of a file is cached"),
    Call("sync", 162, 81, IGNORE, "writes files of other programs to the disks"),
    Call("syncfs", 306, 267, IGNORE, "writes files of other programs to the disks"),
    Call("fsync", 74, 82, IGNORE, "makes other programs wait for a disk"),
    Call("fdatasync", 75, 83, IGNORE, "makes other programs wait for a disk"),
    Call("quotactl", 179, 60, MISSING, "writes the quotas of all disks"),
    Call("quotactl_fd", 443, 443, MISSING, "writes the quotas of a disk"),
    Call("statx", 332, 291, MISSING, "shows numbers of mounts, and creation times"),
    Call("name_to_handle_at", 303, 264, UNSUPPORTED, "shows numbers of mounts"),
    Call("pidfd_open", 434, 434, ALLOW, "of process 1: shows how much it has done", 0, INIT),
    Call("clock_gettime", 228, 113, ALLOW, "of process 1: counts earlier bots", 0, INIT_CLOCKS),
    Call("clock_getres", 229, 114, ALLOW, "of process 1: counts earlier bots", 0, INIT_CLOCKS),
    Call("clock_nanosleep", 230, 115, ALLOW, "of process 1: counts earlier bots", 0, INIT_CLOCKS),
    Call("timer_create", 222, 107, ALLOW, "of process 1: counts earlier bots", 0, INIT_CLOCKS),
    Call("flock", 73, 32, IGNORE, "signals another bot by a lock"),
    Call("fcntl", 72, 25, INVALID, "signals another bot by a lock or a lease", 1, FCNTL),
    Call("ioctl", 16, 29, NO_TERMINAL, "has too many commands to know them all", 1, IOCTL),
    Call("ptrace", 101, 117, FORBIDDEN, "prevents that the parent reaps a process"),
    Call("prlimit64", 302, 261, FORBIDDEN, "controls another process", 0, OWN),
    Call("sched_setaffinity", 203, 122, FORBIDDEN, "controls another process", 0, OWN),
    Call("sched_setscheduler", 144, 119, FORBIDDEN, "controls another process", 0, OWN),
    Call("sched_setparam", 142, 118, FORBIDDEN, "controls another process", 0, OWN),
    Call("sched_setattr", 314, 274, FORBIDDEN, "controls another process", 0, OWN),
    Call("setpriority", 141, 140, IGNORE, "controls other processes"),
    Call("ioprio_set", 251, 30, FORBIDDEN, "controls other processes"),
)

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""Architectures in <linux/audit.h>."""


def program() -> bytes:
    """Return the filter for this machine; empty if its architecture is unknown."""
    machine = platform.machine()
    if machine not in MACHINES:
        return b""
    steps = [
        *((LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, MACHINES[machine]), (RETURN, 0, 0, MISSING)),
        *((LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, NEWEST + 1), (RETURN, 0, 0, MISSING)),
    ]
    for call in CALLS:
        number: int | None = getattr(call, machine)
        if number is not None:
            then = list(consequence(call))
            steps += [(EQUAL, 0, len(then), number), *then]
    return b"".join(struct.pack("HBBI", *step) for step in [*steps, (RETURN, 0, 0, ALLOW)])


def consequence(call: Call) -> Iterator[tuple[int, int, int, int]]:
    """Yield the instructions that decide a call."""
    if call.values or call.bits:
        yield LOAD, 0, 0, ARGUMENTS + 8 * call.argument
    for value, result in call.values.items():
        yield EQUAL, 0, 1, value
        yield RETURN, 0, 0, result
    if call.bits:
        yield ANY_BIT, 1, 0, call.bits
        yield RETURN, 0, 0, ALLOW
    yield RETURN, 0, 0, call.result
