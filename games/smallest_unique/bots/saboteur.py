"""Goes for the numbers up to 3 and takes from the others what they had alone.

It plays the smallest of them that exactly one other bot played in the last round, so that neither
scores there if that bot stays. Without one it plays 1.
"""


class Saboteur:
    """Knows where to spoil."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.target = 1

    def select(self) -> int:
        """Return the number to play."""
        return self.target

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        others = choices[: self.index] + choices[self.index + 1 :]
        self.target = next((number for number in (1, 2, 3) if others.count(number) == 1), 1)
