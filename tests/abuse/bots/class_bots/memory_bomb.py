"""Takes memory, uses some of it, and takes more, without end."""

import mmap
import sys

PIECE, USED, ENOUGH = 256 << 20, 256 << 20, 6 << 30


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        pieces = []
        while len(pieces) * PIECE < ENOUGH:
            used = mmap.MAP_POPULATE if len(pieces) * PIECE < USED else 0
            pieces.append(mmap.mmap(-1, PIECE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | used))
        print("got", len(pieces) * PIECE, "bytes", file=sys.stderr)
        return 1

    def update(self, choices):
        pass
