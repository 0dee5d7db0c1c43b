"""Computes in short-lived children that the kernel reaps, and that make each other wait."""

import os
import select
import signal
import sys
import time

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))


def compute(seconds):
    """Compute for so long, and end."""
    while time.process_time() < seconds:
        pass
    os._exit(0)


if first:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    ends = select.poll()
    for number in range(180):
        if number >= 12:
            over = ends.poll()[0][0]
            ends.unregister(over)
            os.close(over)
        end, its_end = os.pipe()
        if os.fork() == 0:
            compute(0.02)
        os.close(its_end)
        ends.register(end, select.POLLIN)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
