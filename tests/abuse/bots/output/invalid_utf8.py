"""Answers in bytes that are no text."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    if os.path.isfile(asked):
        with open(asked, "ab") as history:
            history.write(b"\xff\xfe\x80")
    os.write(1, b"\xff\xfe\x80")
    os.write(2, b"\xff\xfe\x80")
    sys.exit()

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
