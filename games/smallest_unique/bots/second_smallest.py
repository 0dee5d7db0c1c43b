"""Plays the number that came second in the last round: the first may have been noticed."""


class SecondSmallest:
    """Knows the second smallest unique number of the last round in which there were two."""

    def __init__(self, index: int) -> None:
        self.second = 2

    def select(self) -> int:
        """Return the number to play."""
        return self.second

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        unique = sorted(choice for choice in choices if choices.count(choice) == 1)
        if len(unique) > 1:
            self.second = unique[1]
