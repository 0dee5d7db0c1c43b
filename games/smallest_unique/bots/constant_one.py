"""Plays 1 in every round, and wins whenever it is alone with it."""


class ConstantOne:
    """Needs to know nothing."""

    def __init__(self, index: int) -> None:
        self.index = index

    def select(self) -> int:
        """Return the number to play."""
        return 1

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
