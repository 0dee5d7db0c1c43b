"""Puts a folder in the place of the history."""

import os
import sys

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    os.remove(path)
    os.mkdir(path)
    os.mkdir(f"{path}/inside")
