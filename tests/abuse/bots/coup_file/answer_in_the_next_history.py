"""Leaves a process that writes to every history that comes after its own."""

import glob
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
        end = time.monotonic() + 15
        os.closerange(0, 3)
        above = os.path.dirname(os.path.dirname(os.path.dirname(path)))
        while time.monotonic() < end:
            for other in glob.glob(f"{above}/*/*/*.txt"):
                if other != path:
                    with open(other, "a") as history:
                        history.write("C")
    os._exit(0)
