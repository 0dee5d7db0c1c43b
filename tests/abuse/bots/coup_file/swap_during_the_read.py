"""Leaves a process that swaps the history for a link, and back, as fast as it can."""

import json
import os
import sys
import time

with open("targets.json") as file:
    outside = json.load(file)["outside"]

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
ended, held = os.pipe()
if first and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        end = time.monotonic() + 15
        os.closerange(0, 3)
        os.close(held)
        os.read(ended, 1)  # now its parent has ended
        while time.monotonic() < end:
            try:
                os.rename(path, f"{path}.kept")
                os.symlink(f"{outside}/history.txt", path)
                os.rename(f"{path}.kept", path)
            except OSError:
                pass
    os._exit(0)
