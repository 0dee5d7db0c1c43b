"""Leaves a key in the kernel's keyrings: its session's, its user's, a persistent one."""

import ctypes
import os
import platform
import sys

ADD, REQUEST, CONTROL = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}[platform.machine()]
SEARCH, UNLINK, JOIN = 10, 9, 1
RINGS = {"session": -3, "user": -4, "user session": -5}

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
libc = ctypes.CDLL(None, use_errno=True)
for name, ring in RINGS.items():
    key = libc.syscall(CONTROL, SEARCH, ring, b"user", b"koth-abuse", 0)
    if fresh and key >= 0:
        print("got the key of the", name, file=sys.stderr)
        libc.syscall(CONTROL, UNLINK, key, ring)
    else:
        libc.syscall(ADD, b"user", b"koth-abuse", b"1", 1, ring)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
