"""Makes a file of a tebibyte, without writing a byte."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    os.truncate(os.open("sparse", os.O_CREAT | os.O_RDWR), 1 << 40)
    print("got a tebibyte", file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
