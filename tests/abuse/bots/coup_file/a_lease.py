"""Leaves a process with a lease on the history, so that a process that opens it has to wait."""

import fcntl
import os
import sys
import time

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        held = os.open(path, os.O_RDWR)
        os.closerange(0, 3)
        fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(held, fcntl.F_SETSIG, 0)
        time.sleep(15)
    os._exit(0)
if first:
    time.sleep(0.05)
