"""Fills the disk with files of an allowed size."""

import sys

PIECE, ENOUGH = 16 << 20, 512 << 20


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        for number in range(ENOUGH // PIECE):
            with open(str(number), "wb") as file:
                file.write(bytes(PIECE))
        print("got", ENOUGH, "bytes", file=sys.stderr)
        return 1

    def update(self, choices):
        pass
