"""Writes one file that never ends."""

import os
import sys

PIECE, ENOUGH = 4 << 20, 512 << 20

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    with open("big", "wb", buffering=0) as file:
        while file.tell() < ENOUGH:
            file.write(bytes(PIECE))
    print("got", ENOUGH, "bytes", file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
