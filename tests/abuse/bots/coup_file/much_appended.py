"""Appends a megabyte to the history."""

import os
import sys

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    with open(path, "a") as history:
        history.write("I" * (1 << 20))
