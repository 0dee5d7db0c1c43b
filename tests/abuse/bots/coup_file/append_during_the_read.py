"""Leaves a process that goes on appending to the history."""

import os
import sys
import time

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
ended, held = os.pipe()
if first and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        end = time.monotonic() + 15
        os.closerange(0, 3)
        os.close(held)
        os.read(ended, 1)  # now its parent has ended
        with open(path, "a", buffering=1) as history:
            while time.monotonic() < end:
                history.write("I\n")
    os._exit(0)
