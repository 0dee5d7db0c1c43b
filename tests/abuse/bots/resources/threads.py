"""Starts threads until none can be started any more."""

import os
import sys
import threading
import time

ENOUGH = 1_000

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    threads = 0
    try:
        while threads < ENOUGH:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            threads += 1
        print("got", threads, "threads", file=sys.stderr)
    except RuntimeError:
        pass

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
