"""Figures with their calibrations and goals, and the measuring of several works in turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Literal


@dataclass(frozen=True)
class Goal:
    """A limit for a figure, or for its ratio to the calibration."""

    what: Literal["value", "ratio"]
    at: Literal["least", "most"]
    limit: float

    def reached(self, figure: Figure) -> bool:
        """Return whether ``figure`` is within the limit."""
        measured = figure.value if self.what == "value" else figure.ratio
        assert measured is not None
        return measured >= self.limit if self.at == "least" else measured <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.at == "least" else "≤"
        return f"{self.what} {sign} {self.limit:g}"


@dataclass(frozen=True)
class Figure:
    """One figure, such as rounds per second, with its calibration in the same run."""

    name: str
    value: float
    unit: str
    calibration: str = ""
    """The name of the calibration."""
    against: float | None = None
    """The calibration's value, in the same unit."""
    goals: tuple[Goal, ...] = ()
    interval: tuple[float, float] | None = None
    """The 95 % interval of the ratio, if chance decides it."""

    @property
    def ratio(self) -> float | None:
        """The value divided by the calibration's value."""
        return None if self.against is None else self.value / self.against


def at_least(limit: float) -> Goal:
    """Return the goal that the value is at least ``limit``."""
    return Goal("value", "least", limit)


def at_most(limit: float) -> Goal:
    """Return the goal that the value is at most ``limit``."""
    return Goal("value", "most", limit)


def times(limit: float) -> Goal:
    """Return the goal that the value is at least ``limit`` times its calibration."""
    return Goal("ratio", "least", limit)


def within(limit: float) -> Goal:
    """Return the goal that the value is at most ``limit`` times its calibration."""
    return Goal("ratio", "most", limit)


def in_turn(
    works: Mapping[str, Callable[[], object]], rounds: int = 5
) -> dict[str, tuple[float, ...]]:
    """Run ``works`` in turn (a, b, a, b, …); return the seconds of each, one per round."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            begun = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - begun)
    return {name: tuple(seconds) for name, seconds in taken.items()}


def medians(taken: Mapping[str, tuple[float, ...]]) -> dict[str, float]:
    """Return the median seconds of each work."""
    return {name: median(seconds) for name, seconds in taken.items()}
