"""Peak memory of verifying and auditing a tournament, which must not grow with its matches."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._histories import SEATS, smallest_unique
from benchmarks.measure import Figure, within

SIZE = 10_000
"""Matches of the larger tournament, rounded up to a hundred; the smaller has a tenth."""

QUICK = 1_000

ROUNDS = 100
"""Rounds of each match: few, because the benchmark looks for memory kept per match."""

COMMAND = "from koth.cli.main import run; run()"


def run(size: int) -> Iterator[Figure]:
    """Measure peak megabytes with many matches, and with a tenth of them."""
    many = -(-size // (10 * SEATS)) * 10 * SEATS
    with TemporaryDirectory() as place:
        large = smallest_unique(Path(place) / "large", many, ROUNDS)
        small = smallest_unique(Path(place) / "small", many // 10, ROUNDS)
        for command in ("verify", "audit"):
            yield Figure(
                f"koth {command}, {many:,} matches",
                megabytes(command, large),
                "MB",
                f"{many // 10:,} matches",
                megabytes(command, small),
                (within(1.25),),
            )


def megabytes(command: str, tournament: Path) -> float:
    """Return the peak megabytes of a command of Koth. Raises RuntimeError if it fails."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, command, str(tournament)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"koth {command} ended with exit code {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1_024
    return usage.ru_maxrss * unit / 1e6
