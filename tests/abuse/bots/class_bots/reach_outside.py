"""Writes outside of its folder, and talks to servers on the machine."""

import json
import socket
import sys
from contextlib import suppress


class Bot:
    def __init__(self, index):
        with open("targets.json") as file:
            targets = json.load(file)
        with suppress(OSError), open(f"{targets['outside']}/class-bot", "w"):
            print("got to write", file=sys.stderr)
        for family, address in (
            (socket.AF_INET, ("127.0.0.1", targets["port"])),
            (socket.AF_UNIX, "\0" + targets["abstract"]),
        ):
            with suppress(OSError), socket.socket(family) as client:
                client.settimeout(0.2)
                if client.connect_ex(address) == 0:
                    print("got", address, file=sys.stderr)

    def select(self):
        return 1

    def update(self, choices):
        pass
