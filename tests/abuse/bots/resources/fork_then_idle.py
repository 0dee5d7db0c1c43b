"""Forks as often as it can, and leaves all those processes asleep."""

import os
import sys
import time

ENOUGH = 1_000  # where nobody stops it, it stops itself

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    forks = 0
    try:
        while forks < ENOUGH:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            forks += 1
        print("got", forks, "processes", file=sys.stderr)
    except OSError:
        pass

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
