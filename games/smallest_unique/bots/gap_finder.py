"""Plays the smallest number that nobody else played in the last round."""


class GapFinder:
    """Knows the smallest gap."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.gap = 1

    def select(self) -> int:
        """Return the number to play."""
        return self.gap

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        others = choices[: self.index] + choices[self.index + 1 :]
        self.gap = next((number for number in range(1, 11) if number not in others), 10)
