"""Answers, closes its output and its errors, and does not end."""

import os
import sys
import time

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
if first:
    sys.stdout.flush()
    os.close(1)
    os.close(2)
    time.sleep(60)
