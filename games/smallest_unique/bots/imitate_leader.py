"""Plays what the leader played last; a leader itself stays with its own number."""


class ImitateLeader:
    """Keeps the points of all seats, and what everybody chose last."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.points: list[int] = []
        self.last: list[int] = []

    def select(self) -> int:
        """Return the number to play."""
        if not self.last:
            return 1
        best = max(self.points)
        leader = self.index if self.points[self.index] == best else self.points.index(best)
        return self.last[leader]

    def update(self, choices: list[int]) -> None:
        """Take notice of what everybody chose, by seat."""
        self.points = self.points or [0] * len(choices)
        self.last = choices
        unique = [choice for choice in choices if choices.count(choice) == 1]
        if unique:
            self.points[choices.index(min(unique))] += 1
