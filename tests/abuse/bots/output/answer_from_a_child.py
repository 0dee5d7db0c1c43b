"""Ends at once; a child in another session answers in its place, a moment later."""

import os
import sys
import time

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    if os.fork() == 0:
        os.setsid()
        time.sleep(0.2)
    else:
        os._exit(0)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
