"""Leaves files whose names hold line feeds, escapes, bytes that are no text, and options."""

import os
import sys

NAMES = [b"a\nb", b"\x1b[31mred", b"\xff\xfe", b"-rf", b"--", b"* ?", b"'$(id)'", b"x" * 255]

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
for name in NAMES if first else ():
    os.close(os.open(name, os.O_CREAT))

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
