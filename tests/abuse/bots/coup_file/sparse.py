"""Makes the history as large as a file may be, without writing a byte."""

import os
import sys

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    os.truncate(path, 60 << 20)
