"""The filter refuses the system calls of its table, and no others."""

from __future__ import annotations

import json
import platform
import re
import struct
from collections.abc import Sequence
from errno import EAFNOSUPPORT, EBADF, EINVAL, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM
from pathlib import Path

import pytest

from referee.protocols import workspace
from referee.protocols.base import Seating
from referee.sandbox import seccomp
from tests.factories import SEED
from tests.referee.bot_factory import PATIENCE
from tests.referee.test_warm import SEEDS, make

BUFFER = "buffer"
"""An argument that is the address of a buffer of zeros."""

NO_FD = -1
FIRST_CLOCK = -16
"""The clock of process 1 that counts its processor time."""

NEWER = 451
"""The number of cachestat(2), the first call of Linux 6.5, on all architectures."""

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
I386, ARM = 0x40000003, 0x40000028
"""Architectures in <linux/audit.h>; a bot can call the kernel as the older one, too."""

Attempt = tuple[str, int, Sequence[int | str]]
"""A system call, the error it must return, and its arguments."""

REFUSED: Sequence[Attempt] = (
    ("shmget", ENOSYS, (0, 4096, 0o600)),
    ("semget", ENOSYS, (0, 1, 0o600)),
    ("msgget", ENOSYS, (0, 0o600)),
    ("mq_open", ENOSYS, (BUFFER, 0, 0, 0)),
    ("add_key", ENOSYS, (BUFFER, BUFFER, 0, 0, -3)),
    ("request_key", ENOSYS, (BUFFER, BUFFER, 0, 0)),
    ("keyctl", ENOSYS, (0, -3, 0)),
    ("inotify_init", ENOSYS, ()),
    ("inotify_init1", ENOSYS, (0,)),
    ("fanotify_init", ENOSYS, (0, 0)),
    ("perf_event_open", ENOSYS, (BUFFER, 0, -1, -1, 0)),
    ("bpf", ENOSYS, (0, BUFFER, 128)),
    ("seccomp", ENOSYS, (1, 0, BUFFER)),
    ("prctl", EINVAL, (22, 2, BUFFER, 0, 0)),
    ("prctl", EINVAL, (62, 1, 0, 0, 0)),
    ("prctl", EINVAL, (67, 1, 0, 0, 0)),
    ("setsockopt", EPERM, (NO_FD, 1, 26, BUFFER, 16)),
    ("setsockopt", EPERM, (NO_FD, 1, 51, BUFFER, 16)),
    ("userfaultfd", ENOSYS, (1,)),
    ("io_uring_setup", ENOSYS, (1, BUFFER)),
    ("io_setup", ENOSYS, (1, BUFFER)),
    ("syslog", ENOSYS, (10, 0, 0)),
    ("memfd_secret", ENOSYS, (0,)),
    ("socket", EAFNOSUPPORT, (2, 1, 0)),
    ("socket", EAFNOSUPPORT, (16, 3, 0)),
    ("socketpair", EAFNOSUPPORT, (2, 1, 0, BUFFER)),
    ("utime", 0, ("/usr/bin/env", 0)),
    ("utimes", 0, ("/usr/bin/env", 0)),
    ("futimesat", 0, (-100, "/usr/bin/env", 0)),
    ("utimensat", 0, (-100, "/usr/bin/env", 0, 0)),
    ("setxattr", EOPNOTSUPP, ("/tmp", "user.x", BUFFER, 1, 0)),
    ("lsetxattr", EOPNOTSUPP, ("/tmp", "user.x", BUFFER, 1, 0)),
    ("fsetxattr", EOPNOTSUPP, (NO_FD, "user.x", BUFFER, 1, 0)),
    ("fadvise64", 0, (NO_FD, 0, 0, 4)),
    ("preadv2", EOPNOTSUPP, (0, BUFFER, 0, 0, 0, 8)),
    ("madvise", EINVAL, (0, 0, 12)),
    ("process_madvise", EINVAL, (NO_FD, BUFFER, 0, 12, 0)),
    *(("mmap", EINVAL, (0, 1 << 21, 3, 0x22 | flags, -1, 0)) for flags in (1 << 18, 0x54040000)),
    *(("memfd_create", EINVAL, ("x", flags)) for flags in (4, 7, 0x54000005)),
    ("mincore", ENOSYS, (0, 0, BUFFER)),
    ("openat2", ENOSYS, (-100, "/usr", BUFFER, 24)),
    ("sync", 0, ()),
    ("syncfs", 0, (NO_FD,)),
    ("fsync", 0, (NO_FD,)),
    ("fdatasync", 0, (NO_FD,)),
    ("quotactl", ENOSYS, (0x80000100, 0, 0, 0)),
    ("quotactl_fd", ENOSYS, (NO_FD, 0x80000100, 0, 0)),
    ("statx", ENOSYS, (-100, "/usr", 0, 0, BUFFER)),
    ("name_to_handle_at", EOPNOTSUPP, (-100, "/usr", BUFFER, BUFFER, 0)),
    ("pidfd_open", EPERM, (1, 0)),
    *(("clock_gettime", EINVAL, (FIRST_CLOCK + clock, BUFFER)) for clock in range(8)),
    ("clock_getres", EINVAL, (FIRST_CLOCK + 2, BUFFER)),
    ("clock_nanosleep", EINVAL, (FIRST_CLOCK + 2, 0, BUFFER, 0)),
    ("timer_create", EINVAL, (FIRST_CLOCK + 2, 0, BUFFER)),
    ("flock", 0, (NO_FD, 2)),
    *(("fcntl", 0, (NO_FD, lock, BUFFER)) for lock in (6, 7, 37, 38)),
    *(("fcntl", EINVAL, (NO_FD, command, 0)) for command in (1024, 1026, 1031, 1036, 1040)),
    *(("ioctl", ENOTTY, (NO_FD, command, BUFFER)) for command in (0x5401, 0x5412, 0x40086602)),
    ("ptrace", EPERM, (0, 0, 0, 0)),
    ("prlimit64", EPERM, (1, 0, 0, 0)),
    ("sched_setaffinity", EPERM, (1, 8, BUFFER)),
    ("sched_setscheduler", EPERM, (1, 0, BUFFER)),
    ("sched_setparam", EPERM, (1, BUFFER)),
    ("sched_setattr", EPERM, (1, BUFFER, 0)),
    ("setpriority", 0, (0, 0, -5)),
    ("ioprio_set", EPERM, (1, 0, 0x4000)),
)
"""Attempts of a hostile bot. Without the filter, most of them have another result."""

ALLOWED: Sequence[Attempt] = (
    ("prctl", 0, (15, BUFFER, 0, 0, 0)),
    ("setsockopt", EBADF, (NO_FD, 1, 7, BUFFER, 4)),
    ("socket", 0, (1, 1, 0)),
    ("socketpair", 0, (1, 1, 0, BUFFER)),
    ("preadv2", 0, (0, BUFFER, 0, 0, 0, 0)),
    ("madvise", 0, (0, 0, 4)),
    ("mmap", 0, (0, 4096, 3, 0x22, -1, 0)),
    *(("memfd_create", 0, ("x", flags)) for flags in (0, 1, 2, 3)),
    ("process_madvise", EBADF, (NO_FD, BUFFER, 0, 4, 0)),
    ("pidfd_open", 0, (2, 0)),
    *(("clock_gettime", 0, (own + clock, BUFFER)) for own in (-24, -8) for clock in range(3)),
    ("clock_getres", 0, (0, BUFFER)),
    ("clock_nanosleep", 0, (1, 0, BUFFER, 0)),
    ("timer_create", 0, (1, 0, BUFFER)),
    *(("fcntl", EBADF, (NO_FD, command, 0)) for command in (0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16)),
    *(("fcntl", EBADF, (NO_FD, command, 0)) for command in (5, 36, 1025, 1030, 1032, 1033, 1034)),
    *(
        ("ioctl", EBADF, (NO_FD, command, BUFFER))
        for command in (0x541B, 0x5421, 0x5450, 0x5451, 0x5452)
    ),
    ("prlimit64", 0, (0, 0, 0, BUFFER)),
    ("sched_setaffinity", EINVAL, (0, 8, BUFFER)),
    ("sched_setscheduler", 0, (0, 0, BUFFER)),
    ("sched_setparam", 0, (0, BUFFER)),
    ("sched_setattr", EINVAL, (0, 0, 0)),
)
"""Attempts that pass, at calls that are refused with other arguments; process 2 is the bot."""

CALLS = {call.name: call for call in seccomp.CALLS}

TRY = """
import ctypes, json, sys
call = ctypes.CDLL(None, use_errno=True).syscall
zeros = ctypes.create_string_buffer(4096)
for number, arguments in json.loads(sys.argv[1]):
    ctypes.memset(zeros, 0, 4096)
    real = [zeros if a == "buffer" else a.encode() if isinstance(a, str) else ctypes.c_long(a)
            for a in arguments]
    ctypes.set_errno(0)
    call(ctypes.c_long(number), *real)
    print(ctypes.get_errno())
"""


def result(program: bytes, architecture: int, number: int, arguments: Sequence[int | str]) -> int:
    """Return the result of a filter for a system call, as the kernel would run it."""
    words = [0 if isinstance(word, str) else word for word in arguments]
    data = struct.pack("iI8x6q", number, architecture, *words, *[0] * (6 - len(words)))
    steps = [*struct.iter_unpack("HBBI", program)]
    place, value = 0, 0
    while True:
        code, if_true, if_false, operand = steps[place]
        place += 1
        match code:
            case 0x06:  # BPF_RET | BPF_K
                return int(operand)
            case 0x20:  # BPF_LD | BPF_W | BPF_ABS
                [value] = struct.unpack_from("I", data, operand)
            case 0x15:  # BPF_JMP | BPF_JEQ | BPF_K
                place += if_true if value == operand else if_false
            case 0x35:  # BPF_JMP | BPF_JGE | BPF_K
                place += if_true if value >= operand else if_false
            case 0x45:  # BPF_JMP | BPF_JSET | BPF_K
                place += if_true if value & operand else if_false
            case _:
                pytest.fail(f"{code:#x} is not an instruction")


def attempts(machine: str) -> list[tuple[str, int, int, Sequence[int | str], bool]]:
    """Return the attempts at the calls that a machine has, with their numbers there."""
    return [
        (name, number, error, arguments, refused)
        for refused, table in ((True, REFUSED), (False, ALLOWED))
        for name, error, arguments in table
        if (number := getattr(CALLS[name], machine)) is not None
    ]


def test_each_call_of_the_filter_is_tried() -> None:
    """The attempts below cover the filter, and both results of a call with conditions."""
    assert {name for name, *_ in REFUSED} == CALLS.keys()
    results = {call.name: (*call.values.values(), call.result) for call in seccomp.CALLS}
    some = {name for name in CALLS if CALLS[name].bits or seccomp.ALLOW in results[name]}
    assert {name for name, *_ in ALLOWED} == some


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_filter_of_each_machine(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program refuses what it must, other calls pass, and no other entry avoids it."""
    monkeypatch.setattr(platform, "machine", lambda: machine)
    program, own = seccomp.program(), ARCHITECTURES[machine]
    for name, number, error, arguments, refused in attempts(machine):
        expected = seccomp.FAIL | error if refused else seccomp.ALLOW
        assert result(program, own, number, arguments) == expected, (name, arguments)
    listed = {getattr(call, machine) for call in seccomp.CALLS}
    for number in {*range(NEWER)} - listed:
        assert result(program, own, number, ()) == seccomp.ALLOW
    for number in (NEWER, 463, 0x40000000, 0x40000000 + 39, -1):
        assert result(program, own, number, ()) == seccomp.MISSING
    for other in {I386, ARM, *ARCHITECTURES.values()} - {own}:
        assert result(program, other, 39, ()) == seccomp.MISSING


def test_a_machine_whose_calls_are_unknown_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no filter for other architectures."""
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert seccomp.program() == b""


HEADERS = {"x86_64": "x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}
OWN_HEADER = "asm/unistd_64.h"
"""The numbers of this machine, of whatever architecture, in systems without multiarch."""


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_of_calls(machine: str) -> None:
    """Numbers are those of the kernel's headers; a call is missing only where they lack it."""
    names = [HEADERS[machine], *([OWN_HEADER] if platform.machine() == machine else [])]
    paths = [path for name in names if (path := Path("/usr/include", name)).exists()]
    if not paths:
        pytest.skip("there are no headers of the kernel")
    pattern = r"#define __NR(?:3264)?_(\w+)\s+(\d+)$"
    numbers = dict(re.findall(pattern, paths[0].read_text(), re.M))
    for call in seccomp.CALLS:
        number = getattr(call, machine)
        assert numbers.get(call.name) == (None if number is None else str(number)), call.name


@pytest.mark.usefixtures("sandboxes")
def test_a_bot_cannot_make_these_calls() -> None:
    """In a sandbox, each refused call fails as its row says, and bots can make the others."""
    machine = platform.machine()
    if machine not in seccomp.MACHINES:
        pytest.skip("there is no filter for this machine")
    tried = attempts(machine)
    words = json.dumps([(number, arguments) for _, number, _, arguments, _ in tried])
    with workspace.open_workspace(
        make(TRY), Seating((), SEED, "match", PATIENCE, False, "sandbox")
    ) as place:
        outcome = place.run(SEEDS[0], [words])
    assert (outcome.exit, outcome.stderr) == (0, b"")
    for (name, _, error, arguments, _), line in zip(tried, outcome.output.split(), strict=True):
        assert int(line) == error, (name, arguments)
