"""Looks at files of /proc that nobody has looked at before: they keep the time of that."""

import os
import sys

MARKS = ("/proc/sys/kernel/threads-max", "/proc/sys/vm/swappiness", "/proc/fs", "/proc/tty/drivers")

began = os.stat("/proc/self").st_ctime_ns
asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
for mark in MARKS:
    if os.path.exists(mark) and os.stat(mark).st_ctime_ns < began and fresh:
        print("got a look at", mark, file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
