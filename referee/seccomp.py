"""System calls that no bot needs, and that let it keep something, or get deep into the kernel.

A filter for seccomp(2), as classic BPF: the calls named here fail as if the kernel did not have
them. Keys of the kernel's (keyrings(7)) would outlive a bot's decisions; the others are where
kernels were broken into.
"""

from __future__ import annotations

import errno
import platform
import struct

ARCHITECTURES = {
    "x86_64": (
        0xC000003E,
        {
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "ioprio_set": 251,
            "perf_event_open": 298,
            "bpf": 321,
            "userfaultfd": 323,
            "io_uring_setup": 425,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "ioprio_set": 30,
            "perf_event_open": 241,
            "bpf": 280,
            "userfaultfd": 282,
            "io_uring_setup": 425,
        },
    ),
}
"""By machine: its name in <linux/audit.h>, and its numbers of the calls."""

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000 | errno.ENOSYS
NUMBER, ARCHITECTURE = 0, 4
"""Where they stand in what a filter is given."""

OTHER_SIZE = 0x40000000
"""Numbers from here on belong to x86_64's second set of calls."""


def program() -> bytes:
    """The filter for this machine, as instructions of eight bytes; none where it is unknown."""
    if platform.machine() not in ARCHITECTURES:
        return b""
    name, calls = ARCHITECTURES[platform.machine()]
    left = len(calls)
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 0, left + 3, name), (LOAD, 0, 0, NUMBER)]
    steps += [(AT_LEAST, left + 1, 0, OTHER_SIZE)]
    steps += [(EQUAL, left - place, 0, number) for place, number in enumerate(calls.values())]
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, FAIL)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)
