"""Plays any number at random, each as likely as the next."""

import os
import random


class Uniform:
    """Has nothing but its dice."""

    def __init__(self, index: int) -> None:
        self.dice = random.Random(f"{os.environ.get('KOTH_BOT_SEED')}/{index}")

    def select(self) -> int:
        """Return the number to play."""
        return self.dice.randint(1, 10)

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
