"""Gives the history a second name."""

import os
import sys

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    os.link(path, f"{path}.too")
