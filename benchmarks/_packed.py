"""Tournaments of Smallest Unique Number to measure with, as a folder and as an archive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from audit.archive import pack
from benchmarks._histories import SEATS, smallest_unique

ROUNDS = 1_000
"""Rounds of a game, as in the rules; a small tournament has shorter games."""


@contextmanager
def history(rounds: int) -> Iterator[tuple[Path, int]]:
    """Yield the temporary folder of a tournament of about ``rounds`` rounds, and their number."""
    length = min(ROUNDS, max(1, rounds // SEATS))
    matches = SEATS * max(1, rounds // (SEATS * length))
    with TemporaryDirectory(prefix="koth-benchmark-") as folder:
        yield smallest_unique(Path(folder) / "history", matches, length), matches * length


@contextmanager
def archive(rounds: int) -> Iterator[tuple[Path, int]]:
    """Yield an archive of a tournament of about ``rounds`` rounds, and their number."""
    with history(rounds) as (folder, count):
        packed = folder.parent / "archive"
        pack([folder], packed)
        yield packed, count
