"""Walks up the frames to its caller, and reads what is there."""

import sys


class Bot:
    def __init__(self, index):
        frame = sys._getframe()
        while frame is not None:
            for names in (frame.f_locals, frame.f_globals):
                for name, value in list(names.items()):
                    told = repr(value)[:2_000]
                    if "koth-canary" in told or "5eed5eed" in told:
                        print("got", name, told, file=sys.stderr)
            frame = frame.f_back

    def select(self):
        return 1

    def update(self, choices):
        pass
