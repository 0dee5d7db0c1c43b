"""Counts from 1 to 10 and starts again, one number a round."""


class Cycler:
    """Knows the next number; each seat starts at another one."""

    def __init__(self, index: int) -> None:
        self.number = 1 + index % 10

    def select(self) -> int:
        """Return the number to play."""
        return self.number

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        self.number = 1 + self.number % 10
