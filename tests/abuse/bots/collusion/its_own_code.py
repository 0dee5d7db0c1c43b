"""Changes its own files, their rights and their times, and looks whether they are as they were."""

import os
import sys

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
me = os.path.basename(__file__)
if fresh:
    with open(me) as file:
        text = file.read()
    if text.endswith("# changed\n") or os.stat(me).st_mtime < 100 or os.path.exists("__pycache__"):
        print("got a change of an earlier time", file=sys.stderr)
with open(me, "a") as file:
    file.write("# changed\n")
os.utime(me, (1, 1))
os.makedirs("__pycache__", exist_ok=True)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
