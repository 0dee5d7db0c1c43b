"""Leaves shared memory, semaphores and a message queue of System V, and looks for them."""

import ctypes
import os
import sys

KEY, CREATE = 0x6B6F7468, 0o1000

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
libc = ctypes.CDLL(None, use_errno=True)
for name, get, remove in (
    ("memory", lambda flags: libc.shmget(KEY, 4096, flags), lambda one: libc.shmctl(one, 0, None)),
    ("semaphore", lambda flags: libc.semget(KEY, 1, flags), lambda one: libc.semctl(one, 0, 0)),
    ("queue", lambda flags: libc.msgget(KEY, flags), lambda one: libc.msgctl(one, 0, None)),
):
    found = get(0o600)
    if fresh and found >= 0:
        print("got", name, file=sys.stderr)
        remove(found)
    else:
        get(0o600 | CREATE)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
