"""Undercuts the last winner: plays one less than the number that won."""


class OneUnder:
    """Knows the number that won last; a round without a winner changes nothing."""

    def __init__(self, index: int) -> None:
        self.winning = 5

    def select(self) -> int:
        """Return the number to play."""
        return max(1, self.winning - 1)

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        unique = [choice for choice in choices if choices.count(choice) == 1]
        self.winning = min(unique, default=self.winning)
