"""Meets its double in the same game: by a socket, a port, a file, shared memory."""

import os
import socket
import sys

NAME, PORT = "\0koth-abuse-double", 47_813


class Bot:
    def __init__(self, index):
        self.index = index
        self.heard = []
        for family, address in (
            (socket.AF_UNIX, NAME),
            (socket.AF_INET, ("127.0.0.1", PORT)),
        ):
            try:
                server = socket.socket(family)
            except OSError:
                continue
            try:
                server.bind(address)
                server.listen()
                self.heard.append(server)
            except OSError:
                print("got the other at", repr(address), file=sys.stderr)
        for place in {os.path.realpath(place) for place in ("/tmp", "/dev/shm", "/var/tmp")}:
            path = f"{place}/koth-abuse-double"
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                print("got the other at", path, file=sys.stderr)
                os.remove(path)
            except OSError:
                pass

    def select(self):
        return 1

    def update(self, choices):
        pass
