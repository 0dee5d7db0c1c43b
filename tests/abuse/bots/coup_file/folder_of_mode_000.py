"""Forbids everybody to enter the folder of the history."""

import os
import sys

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    os.chmod(os.path.dirname(path), 0)
