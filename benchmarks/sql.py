"""Questions in SQL over an archive of many choices, in 2 GiB of memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from audit.query import query
from audit.tables import open_database
from benchmarks._packed import archive
from benchmarks.measure import Figure, in_turn, medians

SIZE = 10_000_000
"""Rounds of ten choices each."""

QUICK = 1_000_000

QUESTIONS = {
    "games and wins by bot": """
        SELECT name, count(*) AS games, count(*) FILTER (won) AS wins
        FROM players GROUP BY name ORDER BY wins DESC
    """,
    "winning numbers": """
        SELECT choices[winner + 1] AS number, count(*) AS wins
        FROM smallest_unique_round WHERE winner IS NOT NULL GROUP BY number ORDER BY number
    """,
    "share of rounds without a winner": """
        SELECT avg((winner IS NULL)::BIGINT) FROM smallest_unique_round
    """,
    "choices by seat": """
        SELECT seat, choice, count(*) AS times
        FROM (
            SELECT generate_subscripts(choices, 1) - 1 AS seat, unnest(choices) AS choice
            FROM smallest_unique_round
        )
        GROUP BY ALL ORDER BY ALL
    """,
    "answers by output": "SELECT output, count(*) FROM answers GROUP BY output ORDER BY output",
    "form over time": """
        SELECT round // 100 AS hundred, name, count(*) AS points
        FROM smallest_unique_round AS round
        JOIN players ON players.log = round.log AND players.seat = round.winner
        GROUP BY ALL ORDER BY ALL
    """,
    "every event by type": "SELECT type, count(*) FROM events GROUP BY type ORDER BY type",
}

SCAN = "SELECT sum(choice) FROM (SELECT unnest(choices) AS choice FROM smallest_unique_round)"


def run(size: int) -> Iterator[Figure]:
    """Measure the seconds of each query, against the sum of all choices."""
    with archive(size) as (packed, _), open_database([packed]) as database:
        queries = QUESTIONS | {"scan": SCAN}
        works = {name: partial(query, database, sql) for name, sql in queries.items()}
        taken = medians(in_turn(works, rounds=3))
    scan = taken.pop("scan")
    for name, seconds in taken.items():
        yield Figure(name, seconds, "s", "sum of all choices", scan)
