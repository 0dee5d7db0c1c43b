"""Puts a symbolic link to a file of the referee's in the place of the history."""

import json
import os
import sys

with open("targets.json") as file:
    outside = json.load(file)["outside"]

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    os.remove(path)
    os.symlink(f"{outside}/history.txt", path)
