"""Answers with what clears a terminal, renames it, and colours all that follows."""

import os
import sys

ESCAPES = "\x1b[2J\x1b]0;owned\x07\x1b[31m\x9b31m\u202e\r\x08"

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    if os.path.isfile(asked):
        with open(asked, "a", newline="") as history:
            history.write(ESCAPES)
    print(ESCAPES)
    print(ESCAPES, file=sys.stderr)
    sys.exit()

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
