"""Leaves a process that holds locks on files that are there every time, and tries them."""

import fcntl
import os
import sys
import time

PLACES = (sys.executable, os.__file__, "/usr/bin/env", "/usr")

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
files = [os.open(place, os.O_RDONLY) for place in PLACES]
try:
    for file in files:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    print("got a lock of an earlier time", file=sys.stderr)
else:
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 3)
        time.sleep(3)
        os._exit(0)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
