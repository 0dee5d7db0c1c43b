"""Sleeps, while many children of its own crowd one processor, so that all of them wait for it."""

import os
import sys
import time

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))

if first:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for _ in range(16):
        if os.fork() == 0:
            while True:
                pass
    time.sleep(60)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
