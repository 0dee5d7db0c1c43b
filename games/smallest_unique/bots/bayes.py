"""Plays the number that is most likely to be the smallest unique one, from all that was seen.

A number wins when nobody else plays it and none below it is played by exactly one other. How likely
that is it learns number by number, as if the numbers were independent. It starts from a prior worth
two rounds, and old rounds fade, since the others learn too.
"""

FADING = 0.98
PRIOR = 0.4  # nine others at random: nobody plays a given number with 0.39, exactly one with 0.39


class Bayes:
    """Counts in how many rounds each number was played by no other, and by exactly one."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.rounds = 2.0
        self.empty = [2 * PRIOR] * 10
        self.single = [2 * PRIOR] * 10

    def select(self) -> int:
        """Return the number to play."""
        number, best, reached = 1, 0.0, 1.0
        for place in range(10):
            chance = reached * self.empty[place] / self.rounds
            if chance > best:
                number, best = place + 1, chance
            reached *= 1 - self.single[place] / self.rounds
        return number

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        self.rounds = self.rounds * FADING + 1
        own = choices[self.index]
        for place in range(10):
            others = choices.count(place + 1) - (place + 1 == own)
            self.empty[place] = self.empty[place] * FADING + (others == 0)
            self.single[place] = self.single[place] * FADING + (others == 1)
