"""Peak memory of verifying and auditing a tournament, which must not grow with its matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import _command
from benchmarks._histories import SEATS, smallest_unique
from benchmarks.measure import Figure, within

SIZE = 10_000
"""Matches of the larger tournament, rounded up to a hundred; the smaller has a tenth."""

QUICK = 1_000

ROUNDS = 100
"""Rounds of each match: few, because the benchmark looks for memory kept per match."""


def run(size: int) -> Iterator[Figure]:
    """Measure peak megabytes with many matches, and with a tenth of them."""
    many = -(-size // (10 * SEATS)) * 10 * SEATS
    with TemporaryDirectory() as place:
        large = smallest_unique(Path(place) / "large", many, ROUNDS)
        small = smallest_unique(Path(place) / "small", many // 10, ROUNDS)
        for command in ("verify", "audit"):
            yield Figure(
                f"koth {command}, {many:,} matches",
                _command.run(command, large).megabytes,
                "MB",
                f"{many // 10:,} matches",
                _command.run(command, small).megabytes,
                (within(1.25),),
            )
