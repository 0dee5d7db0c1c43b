"""Writes errors, far more than anybody keeps."""

import os


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        for _ in range(256):
            os.write(2, b"e" * (1 << 16))
        return 1

    def update(self, choices):
        pass
