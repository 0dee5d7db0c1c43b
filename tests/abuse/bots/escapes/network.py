"""Reaches for the network: other machines, raw packets, the host of a virtual machine."""

import errno
import os
import socket
import sys
from contextlib import suppress

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
for address in ("192.0.2.1", "198.51.100.1") if first else ():
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect((address, 9))  # nothing is sent; it needs a way there
        print("got a way to", address, file=sys.stderr)
for family, kind in ((17, 3), (2, 3), (30, 1), (38, 5)) if first else ():  # packets, raw, tipc, alg
    with suppress(OSError), socket.socket(family, kind):
        print("got a socket of family", family, file=sys.stderr)
if first:
    with suppress(OSError), socket.socket(socket.AF_VSOCK) as client:
        client.settimeout(0.2)
        if client.connect_ex((socket.VMADDR_CID_HOST, 1_024)) in (0, errno.ECONNRESET):
            print("got an answer from the host of this virtual machine", file=sys.stderr)
    with suppress(OSError):
        for _, name in socket.if_nameindex():
            if name != "lo":
                print("got", name, file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
