"""Ends its process without a word."""

import os


class Bot:
    def __init__(self, index):
        pass

    def select(self):
        os._exit(0)

    def update(self, choices):
        pass
