"""Stays with its number while it wins, and leaves it after ten rounds without a point."""

import os
import random


class Stubborn:
    """Knows its number, and how long it has been out of luck."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.dice = random.Random(f"{os.environ.get('KOTH_BOT_SEED')}/{index}")
        self.number = self.dice.randint(1, 10)
        self.dry = 0

    def select(self) -> int:
        """Return the number to play."""
        return self.number

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        unique = [choice for choice in choices if choices.count(choice) == 1]
        won = choices[self.index] == min(unique, default=0)
        self.dry = 0 if won else self.dry + 1
        if self.dry == 10:
            self.number = self.dice.randint(1, 10)
            self.dry = 0
