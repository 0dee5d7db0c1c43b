"""Plays the number that won the last round, as if luck would stay with it."""


class RepeatWinner:
    """Knows the number that won last; a round without a winner changes nothing."""

    def __init__(self, index: int) -> None:
        self.winning = 3

    def select(self) -> int:
        """Return the number to play."""
        return self.winning

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        unique = [choice for choice in choices if choices.count(choice) == 1]
        self.winning = min(unique, default=self.winning)
