"""Puts a link to another folder in its own folder's place, for who tidies up or comes back."""

import json
import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
with open("targets.json") as file:
    outside = json.load(file)["outside"]
if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
if not first:
    home = os.getcwd()
    try:
        os.rename(home, f"{home}.moved")
        os.symlink(outside, home)
    except OSError:
        pass
    os.symlink(outside, f"{home}.moved/inside")
