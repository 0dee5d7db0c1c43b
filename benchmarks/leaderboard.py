"""Leaderboards over an archive of many choices, in 2 GiB of memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from audit.leaderboard import leaderboards
from audit.memory import MOST
from audit.query import query
from audit.tables import open_database
from benchmarks._packed import archive
from benchmarks.measure import Figure, at_most, in_turn, medians

SIZE = 10_000_000
"""Rounds of ten choices each."""

QUICK = 1_000_000

BY_ROUNDS = """
SELECT name, bot, count(*) AS points
FROM smallest_unique_round AS round
JOIN players ON players.log = round.log AND players.seat = round.winner
GROUP BY ALL
ORDER BY points DESC
"""
"""The points of each bot, counted in all rounds."""

SCAN = "SELECT sum(choice) FROM (SELECT unnest(choices) AS choice FROM smallest_unique_round)"


def run(size: int) -> Iterator[Figure]:
    """Measure the game's leaderboard, the whole command, and points counted in all rounds."""
    with archive(size) as (packed, rounds), open_database([packed]) as database:
        works = {
            "leaderboard": lambda: leaderboards(database),
            "points counted in the rounds": lambda: query(database, BY_ROUNDS),
            "opening the archive, and the leaderboard": lambda: _command(packed),
            "scan": lambda: query(database, SCAN),
        }
        taken = medians(in_turn(works))
    scan = taken.pop("scan")
    of = f"{10 * rounds:,} choices, {MOST >> 30} GiB"
    for name, seconds in taken.items():
        yield Figure(f"{name}: {of}", seconds, "s", "sum of all choices", scan, (at_most(0.7),))


def _command(packed: Path) -> None:
    with open_database([packed]) as database:
        leaderboards(database)
