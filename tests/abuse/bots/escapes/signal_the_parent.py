"""Sends every signal to the process that started it, and to the one before."""

import os
import signal
import sys
from contextlib import suppress

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    before = 0
    with suppress(OSError), open(f"/proc/{os.getppid()}/stat") as file:  # which may be hidden
        before = int(file.read().rpartition(")")[2].split()[1])
    for process in {before, os.getppid()} - {0}:
        for number in sorted(signal.valid_signals() - {signal.SIGCONT}):
            try:
                os.kill(process, number)
            except OSError:
                break

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
