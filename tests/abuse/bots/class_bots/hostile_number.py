"""Chooses a number that is another one each time it is looked at, and never ends."""

import time


class Number(int):
    def __index__(self):
        time.sleep(60)
        return 1

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    def __str__(self):
        return "1\nselect 2"

    __repr__ = __format__ = __str__


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        return Number(11)

    def update(self, choices):
        pass
