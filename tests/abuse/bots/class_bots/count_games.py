"""Counts its games in a list of the standard library, which no source file of its own holds."""

import heapq
import sys


class Bot:
    def __init__(self, index):
        heapq.__all__.append("koth")
        if heapq.__all__.count("koth") > 1:
            print("got the number of its games", file=sys.stderr)

    def select(self):
        return 1

    def update(self, choices):
        pass
