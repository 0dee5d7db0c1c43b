"""Answers with NUL characters around its answer."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
said = ("\0" if first else "") + ("NNN" if ";" in asked else "0")
if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(said if first else sys.argv[5])
print(said)
