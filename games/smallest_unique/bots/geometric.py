"""Plays 1 half of the time, 2 half of the rest, and so on: low numbers win, if they are free."""

import os
import random


class Geometric:
    """Tosses a coin for every number on the way up."""

    def __init__(self, index: int) -> None:
        self.dice = random.Random(f"{os.environ.get('KOTH_BOT_SEED')}/{index}")

    def select(self) -> int:
        """Return the number to play."""
        number = 1
        while number < 10 and self.dice.random() < 0.5:
            number += 1
        return number

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
