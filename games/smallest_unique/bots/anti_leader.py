"""Plays the favourite number of whoever leads the others, so that it cannot score with it."""


class AntiLeader:
    """Keeps the points of all seats, and how often each has played every number."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.points: list[int] = []
        self.played: list[list[int]] = []  # by seat and number; no number is 0

    def select(self) -> int:
        """Return the number to play."""
        if not self.points:
            return 1
        rivals = (seat for seat in range(len(self.points)) if seat != self.index)
        leader = max(rivals, key=self.points.__getitem__)
        return max(range(1, 11), key=self.played[leader].__getitem__)

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        if not self.points:
            self.points = [0] * len(choices)
            self.played = [[0] * 11 for _ in choices]
        for played, choice in zip(self.played, choices, strict=True):
            played[choice] += 1
        unique = [choice for choice in choices if choices.count(choice) == 1]
        if unique:
            self.points[choices.index(min(unique))] += 1
