"""An archive to measure with: a history of Smallest Unique Number, packed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from audit.archive import pack
from benchmarks._histories import SEATS, smallest_unique

ROUNDS = 1_000
"""Rounds of a game, as the rules have it; a small history has shorter games."""


@contextmanager
def history(rounds: int) -> Iterator[tuple[Path, int]]:
    """A tournament's folder, in a temporary one, and how many rounds it holds: about ``rounds``."""
    each = min(ROUNDS, max(1, rounds // SEATS))
    matches = SEATS * max(1, rounds // (SEATS * each))
    with TemporaryDirectory(prefix="koth-benchmark-") as folder:
        yield smallest_unique(Path(folder) / "history", matches, each), matches * each


@contextmanager
def archive(rounds: int) -> Iterator[tuple[Path, int]]:
    """The same as an archive."""
    with history(rounds) as (folder, count):
        packed = folder.parent / "archive"
        pack([folder], packed)
        yield packed, count
