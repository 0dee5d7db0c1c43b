"""Final tables: who is before whom by a sum of scores, and the table that a log ends with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from schema.errors import UsageError
from schema.events import Standing, TournamentFinished
from schema.reader import Log


def final_order(scores: Sequence[int], games: Sequence[int]) -> list[Standing]:
    """Highest score first; equal scores share the rank. ``scores``, ``games`` are by entrant."""
    return [
        {
            "rank": 1 + sum(other > scores[entrant] for other in scores),
            "entrant": entrant,
            "score": scores[entrant],
            "games": games[entrant],
        }
        for entrant in sorted(range(len(scores)), key=lambda entrant: -scores[entrant])
    ]


def final_table(log: Log) -> Iterator[tuple[str, Standing]]:
    """Names and standings of a tournament, best first. Raises UsageError when the log has none."""
    names = {entrant["entrant"]: entrant["name"] for entrant in log.start["entrants"]}
    for event in log.events:
        if event["type"] == "tournament_finished":
            for standing in cast(TournamentFinished, event)["standings"]:
                yield names[standing["entrant"]], standing
            return
    raise UsageError(f"{log.path}: expected a final table in the log, found none.")
