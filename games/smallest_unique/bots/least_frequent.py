"""Plays the number that has been played least so far, the smallest of several."""


class LeastFrequent:
    """Counts how often each number was played, by anybody."""

    def __init__(self, index: int) -> None:
        self.played = dict.fromkeys(range(1, 11), 0)

    def select(self) -> int:
        """Return the number to play."""
        return min(self.played, key=self.played.__getitem__)

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        for choice in choices:
            self.played[choice] += 1
