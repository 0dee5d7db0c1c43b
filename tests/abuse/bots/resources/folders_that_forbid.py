"""Leaves folders that nobody may enter, list or write to, its own among them."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
with open("bait", "w") as file:
    file.write("x")
os.makedirs("forbidden/inside", exist_ok=True)
os.chmod("forbidden/inside", 0)
os.chmod("forbidden", 0o100)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
if not first:
    os.chmod(".", 0)
