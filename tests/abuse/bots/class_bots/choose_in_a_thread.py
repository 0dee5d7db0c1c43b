"""Has threads that patch its own answers while it is asked."""

import threading
import time


class Bot:
    def __init__(self, index):
        self.choice = 1
        threading.Thread(target=self.change, daemon=True).start()

    def change(self):
        while True:
            self.choice = self.choice % 3 + 1
            time.sleep(0.0001)

    def select(self):
        return self.choice

    def update(self, choices):
        choices.clear()
