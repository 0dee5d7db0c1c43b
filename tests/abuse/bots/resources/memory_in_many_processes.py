"""Has many processes take memory, each of them not much."""

import mmap
import os
import sys
import time

PIECE, PROCESSES = 128 << 20, 16

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    took = mmap.mmap(-1, PROCESSES)
    for number in range(PROCESSES):
        if os.fork() == 0:
            piece = mmap.mmap(-1, PIECE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE)
            took[number] = 1
            time.sleep(60)
            os._exit(0)
    while sum(took[:]) < PROCESSES:
        if os.waitpid(-1, os.WNOHANG)[0]:
            raise SystemExit("one of the processes was killed")
        time.sleep(0.02)
    print("got", PROCESSES * PIECE, "bytes", file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
