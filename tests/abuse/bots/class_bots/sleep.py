"""Sleeps instead of choosing."""

import time


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        time.sleep(60)
        return 1

    def update(self, choices):
        pass
