"""Leaves a file in its folder, and looks for it the next time."""

import os
import sys

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
if fresh and os.path.exists("trace"):
    print("got a file of an earlier time", file=sys.stderr)
with open("trace", "w") as file:
    file.write("koth-abuse")

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
