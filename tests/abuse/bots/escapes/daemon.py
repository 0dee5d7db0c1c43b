"""Leaves a process in a session of its own, with nothing open, that outlives its parents."""

import json
import os
import sys
import time

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
with open("targets.json") as file:
    outside = json.load(file)["outside"]
if first and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 64)
        os.chdir("/")
        time.sleep(30)
        with open(f"{outside}/daemon", "w") as file:
            file.write("koth-abuse")
    os._exit(0)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
