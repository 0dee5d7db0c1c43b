"""Answers one byte at a time, slowly, as if it were always about to finish."""

import os
import sys
import time

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
while first:
    os.write(1, b"N")
    os.write(2, b".")
    time.sleep(0.2)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
