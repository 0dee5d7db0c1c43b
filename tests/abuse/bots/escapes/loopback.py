"""Talks to a server on the machine's own address."""

import json
import os
import socket
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
with open("targets.json") as file:
    port = json.load(file)["port"]
for host in ("127.0.0.1", "::ffff:127.0.0.1", "::1", "0.0.0.0", "localhost") if first else ():
    try:
        socket.create_connection((host, port), 0.2).close()
    except OSError:
        continue
    print("got", host, port, file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
