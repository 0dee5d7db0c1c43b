"""Opens files until none can be opened any more."""

import os
import sys

ENOUGH = 2_000

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    opened = []
    try:
        while len(opened) < ENOUGH:
            opened.append(os.open("/dev/null", os.O_RDONLY))
        print("got", len(opened), "descriptors", file=sys.stderr)
    except OSError:
        pass
    for descriptor in opened:
        os.close(descriptor)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
