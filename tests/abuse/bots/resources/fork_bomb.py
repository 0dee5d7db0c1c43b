"""Forks, as its children do, until no process can be started any more."""

import mmap
import os
import sys
import time

ENOUGH = 2_000  # where nobody stops it, it stops itself

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    me, forks = os.getpid(), mmap.mmap(-1, 8)
    while True:
        number = int.from_bytes(forks[:], "big") + 1
        forks[:] = number.to_bytes(8, "big")
        if number > ENOUGH:
            print("got", number, "processes", file=sys.stderr)
            break
        try:
            os.fork()
        except OSError:
            if os.getpid() == me:
                raise
            time.sleep(60)
    if os.getpid() != me:
        time.sleep(60)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
