"""Counts the numbers of SysV objects up, to tell its next time."""

import ctypes
import os
import sys

MANY = 40

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
libc = ctypes.CDLL(None)
for name, get, remove in (
    ("memory", lambda: libc.shmget(0, 4096, 0o600), lambda one: libc.shmctl(one, 0, None)),
    ("semaphores", lambda: libc.semget(0, 1, 0o600), lambda one: libc.semctl(one, 0, 0)),
    ("queues", lambda: libc.msgget(0, 0o600), lambda one: libc.msgctl(one, 0, None)),
):
    for time in range(MANY if fresh else 0):
        one = get()
        remove(one)
        if time == 0 and one >= MANY:
            print("got", one, "of", name, file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
