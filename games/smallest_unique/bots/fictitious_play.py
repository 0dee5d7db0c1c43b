"""Takes every other seat to play as it has played so far, and plays the best answer to that."""


class FictitiousPlay:
    """Counts how often each seat has played every number; each count starts at a tenth."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.rounds = 1.0
        self.others: list[list[float]] = []  # by number, then by seat

    def select(self) -> int:
        """Return the number to play."""
        number, best, reached = 1, 0.0, 1.0
        for place, counts in enumerate(self.others):
            free, odds = 1.0, 0.0
            for count in counts:
                free *= 1 - count / self.rounds  # this one plays something else
                odds += count / (self.rounds - count)
            if reached * free > best:
                number, best = place + 1, reached * free
            reached *= 1 - free * odds  # exactly one of them plays it
        return number

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        others = choices[: self.index] + choices[self.index + 1 :]
        self.others = self.others or [[0.1] * len(others) for _ in range(10)]
        self.rounds += 1
        for seat, choice in enumerate(others):
            self.others[choice - 1][seat] += 1
