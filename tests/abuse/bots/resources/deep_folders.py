"""Leaves a folder in a folder in a folder, too deep for any path."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    home = os.open(".", os.O_RDONLY)
    for _ in range(2_000):
        os.mkdir("deeper")
        os.chdir("deeper")
    os.fchdir(home)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
