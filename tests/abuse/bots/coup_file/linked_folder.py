"""Puts a symbolic link to a folder of the referee's in the place of the history's folder."""

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
    folder = os.path.dirname(path)
    os.rename(folder, f"{folder}.moved")
    os.symlink(outside, folder)
