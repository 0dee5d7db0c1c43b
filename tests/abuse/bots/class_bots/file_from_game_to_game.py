"""Leaves a file in its folder, and in those for temporary files, for its next game."""

import os
import sys
from contextlib import suppress

PLACES = (".", "/tmp", "/var/tmp", "/dev/shm", "..")


class Bot:
    def __init__(self, index):
        traces = [f"{place}/koth-abuse-game" for place in PLACES]
        for path in filter(os.path.exists, traces):
            print("got", path, file=sys.stderr)
        for path in traces:
            with suppress(OSError):
                open(path, "w").close()

    def select(self):
        return 1

    def update(self, choices):
        pass
