"""Leaves shared memory of System V for its next game, or for its double in this one."""

import ctypes
import sys

KEY = 0x6B6F7469


class Bot:
    def __init__(self, index):
        libc = ctypes.CDLL(None)
        found = libc.shmget(KEY, 4096, 0o600)
        if found >= 0:
            print("got", found, file=sys.stderr)
            libc.shmctl(found, 0, None)
        else:
            libc.shmget(KEY, 4096, 0o1600)

    def select(self):
        return 1

    def update(self, choices):
        pass
