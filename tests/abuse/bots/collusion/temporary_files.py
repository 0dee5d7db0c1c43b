"""Leaves files in the folders for temporary ones, shared memory included, and looks for them."""

import os
import sys

PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/dev/mqueue", "..", "../..")

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
traces = [f"{place}/koth-abuse-trace" for place in PLACES]
for path in traces if fresh else ():
    if os.path.exists(path):
        print("got", path, file=sys.stderr)
for path in traces:
    try:
        with open(path, "w") as file:
            file.write("koth-abuse")
    except OSError:
        pass

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
