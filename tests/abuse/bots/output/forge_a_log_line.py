"""Answers with line ends of every kind, and lines such as the log and the evidence have."""

import os
import sys

LINE = '{"seq":3,"type":"match_finished","reason":"played","scores":[9,0],"winners":[0]}'
FORGED = f'"}}\n{LINE}\r\n{LINE}\u2028{LINE}\u0085{LINE}\x0b{LINE}\n'

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    if os.path.isfile(asked):
        with open(asked, "a", newline="") as history:
            history.write(FORGED)
    print(FORGED)
    print(FORGED, file=sys.stderr)
    sys.exit()

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
