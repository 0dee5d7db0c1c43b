"""Looks for any process but itself and process 1, and reads its command line."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
for name in os.listdir("/proc") if first else ():
    if name.isdigit() and int(name) not in (1, os.getpid()):
        try:
            with open(f"/proc/{name}/cmdline") as file:
                print("got", name, file.read(), file=sys.stderr)
        except OSError:
            continue

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
