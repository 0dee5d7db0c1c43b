"""Winners and final tables: who has most, ranks by score, and the final table of a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar, cast

from schema.errors import UsageError
from schema.events import Standing, TournamentFinished
from schema.reader import Log

Value = TypeVar("Value", int, Fraction)


def winners(scores: Sequence[int]) -> list[int]:
    """Return the positions of the highest score: equal scores share the win."""
    most = max(scores, default=None)
    return [position for position, score in enumerate(scores) if score == most]


def ranks(values: Iterable[Value]) -> dict[Value, int]:
    """Return the rank of each value: 1 + the number of higher ones, so equal values share it."""
    rank_of: dict[Value, int] = {}
    for higher, value in enumerate(sorted(values, reverse=True)):
        rank_of.setdefault(value, 1 + higher)
    return rank_of


def final_order(scores: Sequence[int], games: Sequence[int]) -> list[Standing]:
    """Return the final table, highest score first; equal scores share the rank.

    ``scores`` and ``games`` (games played) are by entrant.
    """
    rank_of = ranks(scores)
    return [
        {
            "rank": rank_of[scores[entrant]],
            "entrant": entrant,
            "score": scores[entrant],
            "games": games[entrant],
        }
        for entrant in sorted(range(len(scores)), key=lambda entrant: -scores[entrant])
    ]


def final_table(log: Log) -> Iterator[tuple[str, Standing]]:
    """Yield the name and the standing of each entrant of a tournament, best first.

    Raises UsageError if the log has no final table.
    """
    names = {entrant["entrant"]: entrant["name"] for entrant in log.start["entrants"]}
    for event in log.events:
        if event["type"] == "tournament_finished":
            for standing in cast(TournamentFinished, event)["standings"]:
                yield names[standing["entrant"]], standing
            return
    raise UsageError(f"{log.path}: expected a final table in the log, found none.")
