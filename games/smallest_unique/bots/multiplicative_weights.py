"""Trusts each number a little more whenever it would have won, and plays by trust."""

import os
import random

NUMBERS = range(1, 11)


class MultiplicativeWeights:
    """Keeps a weight for every number."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.dice = random.Random(f"{os.environ.get('KOTH_BOT_SEED')}/{index}")
        self.weights = [0.1] * 10

    def select(self) -> int:
        """Return the number to play."""
        return self.dice.choices(NUMBERS, self.weights)[0]

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        others = choices[: self.index] + choices[self.index + 1 :]
        lowest = min((number for number in others if others.count(number) == 1), default=11)
        for place, number in enumerate(NUMBERS):
            if number < lowest and number not in others:
                self.weights[place] *= 1.1
        total = sum(self.weights)
        # The least weight keeps every number in play.
        self.weights = [max(0.001, weight / total) for weight in self.weights]
