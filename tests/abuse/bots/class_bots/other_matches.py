"""Looks in its interpreter for itself in other matches that are played at the same time."""

import gc
import sys


class Bot:
    def __init__(self, index):
        self.chosen = []

    def select(self):
        others = [
            one for one in gc.get_objects() if type(one).__name__ == "Bot" and one is not self
        ]
        if others:
            print("got", len(others), file=sys.stderr)
        return 1

    def update(self, choices):
        pass
