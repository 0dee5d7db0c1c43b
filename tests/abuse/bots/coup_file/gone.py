"""Removes the history, with the folder that it is in."""

import os
import shutil
import sys

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    shutil.rmtree(os.path.dirname(path))
