"""Kills its own process, and its group."""

import os
import signal


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        os.kill(0, signal.SIGKILL)
        return 1

    def update(self, choices):
        pass
