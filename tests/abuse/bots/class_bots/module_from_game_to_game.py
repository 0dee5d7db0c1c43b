"""Leaves a note in modules and in its own class, for its next game."""

import random
import sys


class Bot:
    games = []  # noqa: RUF012

    def __init__(self, index):
        if self.games or hasattr(random, "koth") or "koth_abuse" in sys.modules:
            print("got a note of an earlier game", file=sys.stderr)
        self.games.append(index)
        random.koth = sys.modules["koth_abuse"] = random

    def select(self):
        return 1

    def update(self, choices):
        pass
