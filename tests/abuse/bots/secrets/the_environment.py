"""Looks for more in its environment than the four variables that it should have."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
EXPECTED = {"KOTH_BOT_SEED", "PYTHONHASHSEED", "PATH", "LANG"}
if first:
    with open("/proc/self/environ") as file:
        begun = {pair.partition("=")[0] for pair in file.read().split("\0") if pair}
    for name in (begun | set(os.environ)) - EXPECTED - {"LC_CTYPE"}:
        print("got", name, os.environ.get(name), file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
