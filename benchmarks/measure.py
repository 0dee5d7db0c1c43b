"""What benchmarks share: a figure with its calibration and goal, and measuring in turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Literal


@dataclass(frozen=True)
class Goal:
    """What a figure, or its ratio to the calibration, should reach."""

    what: Literal["value", "ratio"]
    at: Literal["least", "most"]
    limit: float

    def reached(self, figure: Figure) -> bool:
        """Whether ``figure`` is there."""
        found = figure.value if self.what == "value" else figure.ratio
        assert found is not None
        return found >= self.limit if self.at == "least" else found <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.at == "least" else "≤"
        return f"{self.what} {sign} {self.limit:g}"


@dataclass(frozen=True)
class Figure:
    """One figure, such as rounds per second, with what it was held against in the same run."""

    name: str
    value: float
    unit: str
    calibration: str = ""
    """What the value is compared with, in words."""
    against: float | None = None
    """The calibration's value, in the same unit."""
    goals: tuple[Goal, ...] = ()

    @property
    def ratio(self) -> float | None:
        """The value in calibrations."""
        return None if self.against is None else self.value / self.against


def at_least(limit: float) -> Goal:
    """The value should be so much or more."""
    return Goal("value", "least", limit)


def at_most(limit: float) -> Goal:
    """The value should be so much or less."""
    return Goal("value", "most", limit)


def times(limit: float) -> Goal:
    """The value should be so many times its calibration, or more."""
    return Goal("ratio", "least", limit)


def in_turn(
    works: Mapping[str, Callable[[], object]], rounds: int = 5
) -> dict[str, tuple[float, ...]]:
    """The seconds that each of ``works`` takes, run in turn: a, b, a, b, …, one a round."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            begun = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - begun)
    return {name: tuple(seconds) for name, seconds in taken.items()}


def medians(taken: Mapping[str, tuple[float, ...]]) -> dict[str, float]:
    """The median of each."""
    return {name: median(seconds) for name, seconds in taken.items()}
