"""Writes to every descriptor it has, lines that are none of the referee's, without an end."""

import os


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        for number in range(3, 64):
            try:
                os.set_blocking(number, False)
                os.write(number, b"x" * (1 << 20))
            except OSError:
                pass
        return 1

    def update(self, choices):
        pass
