"""Reads from every descriptor but the three that it should have, and writes to it."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
for number in range(3, 1_024) if first else ():
    try:
        os.fstat(number)
    except OSError:
        continue
    name = os.readlink(f"/proc/self/fd/{number}")
    if "libffi" in name:  # the library of ctypes keeps its own file open, or one in memory
        continue
    print("got", number, name, file=sys.stderr)
    os.write(number, b"koth-abuse")

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
