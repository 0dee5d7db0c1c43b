"""Computes in one call that no signal handler of Python's interrupts."""


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        return sum(range(10**13))

    def update(self, choices):
        pass
