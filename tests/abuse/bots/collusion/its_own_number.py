"""Counts how often it was asked before: by its number, by files, by what process 1 has done."""

import os
import sys
import time
from contextlib import suppress

FIRST = (~1 << 3) | 2
"""The clock of process 1."""

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
if os.getpid() > 3:  # one for each that was there before
    print("got the number", os.getpid(), file=sys.stderr)
if fresh and os.stat(".").st_ino > 3:
    print("got the number of its folder,", os.stat(".").st_ino, file=sys.stderr)


def done():
    """What process 1 has done."""
    with open("/proc/1/stat") as file:
        return file.read()


for what in (
    lambda: time.clock_gettime(FIRST),
    lambda: os.fstat(os.pidfd_open(1)).st_ino,
    done,
):
    with suppress(OSError):
        print("got from process 1:", what(), file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
