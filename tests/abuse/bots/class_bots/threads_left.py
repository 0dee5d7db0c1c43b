"""Leaves threads that go on when it has chosen, and when the game is over."""

import threading
import time


class Bot:
    def __init__(self, index):
        for _ in range(20):
            threading.Thread(target=time.sleep, args=(60,)).start()

    def select(self):
        return 1

    def update(self, choices):
        pass
