"""Puts symbolic links in the place of both folders above the history."""

import json
import os
import sys

with open("targets.json") as file:
    outside = json.load(file)["outside"]

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
folder = os.path.dirname(path)
for place in (folder, os.path.dirname(folder)) if first else ():
    os.rename(place, f"{place}.moved")
    os.symlink(outside, place)
