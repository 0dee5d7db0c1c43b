"""Plays a low number at random, but never one that was crowded in the last round."""

import os
import random


class AvoidCrowd:
    """Knows which of the numbers up to 5 were played by one bot at most."""

    def __init__(self, index: int) -> None:
        self.dice = random.Random(f"{os.environ.get('KOTH_BOT_SEED')}/{index}")
        self.free = [1, 2, 3, 4, 5]

    def select(self) -> int:
        """Return the number to play."""
        return self.dice.choice(self.free) if self.free else 6

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        self.free = [number for number in (1, 2, 3, 4, 5) if choices.count(number) <= 1]
