"""Plays each number as often as it regrets not having played it.

The regret for a number is how many rounds it would have won, less the rounds won. Played by all,
this leads to a correlated equilibrium (Hart and Mas-Colell, 2000).
"""

import os
import random

NUMBERS = range(1, 11)


class RegretMatching:
    """Keeps the regret for every number."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.dice = random.Random(f"{os.environ.get('KOTH_BOT_SEED')}/{index}")
        self.regrets = [0] * 10

    def select(self) -> int:
        """Return the number to play."""
        weights = [max(0, regret) for regret in self.regrets]
        return self.dice.choices(NUMBERS, weights if any(weights) else None)[0]

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        others = choices[: self.index] + choices[self.index + 1 :]
        lowest = min((number for number in others if others.count(number) == 1), default=11)
        wins = [number < lowest and number not in others for number in NUMBERS]
        won = wins[choices[self.index] - 1]
        for place, win in enumerate(wins):
            self.regrets[place] += win - won
