"""Stops itself by a signal that cannot be handled."""

import os
import signal


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        os.kill(os.getpid(), signal.SIGSTOP)
        return 1

    def update(self, choices):
        pass
