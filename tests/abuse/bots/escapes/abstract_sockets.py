"""Talks to any process that listens on the machine by a socket's name: abstract, or in a folder."""

import json
import os
import socket
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
with open("targets.json") as file:
    names = ["\0" + json.load(file)["abstract"]]
if first:
    with open("/proc/net/unix") as file:
        names += [line.split()[7].replace("@", "\0", 1) for line in file if len(line.split()) > 7]
    for name in names:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.settimeout(0.2)
                client.connect(name)
            except OSError:
                continue
        print("got", repr(name), file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
