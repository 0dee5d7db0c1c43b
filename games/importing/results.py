"""Final tables as they were published, or as a game's controller prints them: best entrant first.

White space around a line, by which controllers align names and scores, is ignored. Which game it is
shows in the first line. What a table does not say, such as how many games there were, is as the
game's settings have it; whether it adds up is for the audit to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from games.importing.imported import Imported, tournament_started
from games.importing.source import Lines, fingerprint
from schema import registry
from schema.errors import UsageError
from schema.scan import short_repr
from schema.words import counted


@dataclass(frozen=True)
class TableLine:
    """One line of a final table."""

    name: str
    score: int
    games: int | None = None
    """If the line says it."""
    rank: int | None = None
    """If the line says it."""

    @property
    def worth(self) -> Fraction:
        """What the rank goes by: the score, a game if the line says how many there were."""
        return Fraction(self.score, 1 if self.games is None else max(1, self.games))


@dataclass(frozen=True)
class Form:
    """How the final table of a game is written."""

    game: str
    pattern: re.Pattern[str]
    example: str
    place: Callable[[Lines, re.Match[str]], TableLine]
    games: Callable[[Mapping[str, Any], int], int] = lambda settings, entrants: 0
    """From settings and number of entrants: how many games each played, if no line says it."""


def read(paths: Sequence[Path]) -> Imported:
    """One final table as a tournament without matches.

    Raises UsageError for several files, and for the first line that cannot be read.
    """
    if len(paths) != 1:
        raise UsageError(
            f"expected one final table, found {len(paths)} files: {paths[1]} and more."
        )
    lines = Lines(paths[0])
    form, places = _table(lines)
    card = registry.card(form.game)
    settings = card.settings({}).model_dump()
    games = form.games(settings, len(places))
    standings = [
        {
            "rank": place.rank or 1 + sum(other.worth > place.worth for other in places),
            "entrant": entrant,
            "score": place.score,
            "games": games if place.games is None else place.games,
        }
        for entrant, place in enumerate(places)
    ]
    names = [place.name for place in places]
    tournament = [
        tournament_started(card, fingerprint(paths), names, settings),
        {"type": "tournament_finished", "standings": standings},
    ]
    return Imported(
        f"the final table of {card.title} with {counted(len(places), 'bot')}", {}, tournament
    )


def _table(lines: Lines) -> tuple[Form, list[TableLine]]:
    for form in FORMS:
        if found := lines.take(form.pattern, form.example):
            break
    else:
        raise lines.unexpected()
    places: list[TableLine] = []
    names: set[str] = set()
    while True:
        place = form.place(lines, found)
        if lines.name(place.name) in names:
            raise lines.wrong("each name once", f"{short_repr(place.name)} again")
        names.add(place.name)
        places.append(place)
        if not lines.left:
            return form, places
        found = lines.need(form.pattern, form.example)


def _rated(lines: Lines, found: re.Match[str]) -> TableLine:
    """SU-6: the wins, the games, and their ratio to four digits."""
    place = TableLine(found["name"], lines.number(found["wins"]), lines.number(found["games"]))
    digits = len(found["rate"].partition(".")[2])
    # Half a last digit either way, for whichever way it was rounded.
    if abs(Fraction(found["rate"]) - place.worth) > Fraction(1, 2 * 10**digits):
        rate = f"{float(place.worth):.4f}"
        raise lines.wrong(f"{rate}, which is {place.score} ÷ {place.games}", found["rate"])
    return place


def _ranked(lines: Lines, found: re.Match[str]) -> TableLine:
    """CN-10: the rank and the sum of points."""
    rank = lines.number(found["rank"])
    if rank == 0:
        raise lines.wrong("a rank of at least 1", "0")
    return TableLine(found["name"], lines.number(found["score"]), rank=rank)


def _scored(lines: Lines, found: re.Match[str]) -> TableLine:
    """CP-20: the points."""
    return TableLine(found["name"], lines.number(found["score"]))


FORMS = (
    Form(
        "smallest_unique",
        re.compile(
            r"\s*(?P<name>\S+): (?P<rate>[01]\.[0-9]+) \((?P<wins>[0-9]+)/(?P<games>[0-9]+)\)\s*"
        ),
        "NAME: 0.3998 (796/1991)",
        _rated,
    ),
    Form(
        "coins",
        re.compile(r"\s*(?P<rank>[0-9]+)\. +(?P<name>\S+): +(?P<score>-?[0-9]+)\s*"),
        "1. NAME: 1017790",
        _ranked,
        lambda settings, entrants: int(settings["games"]),
    ),
    Form(
        "coup",
        re.compile(r"\s*(?P<score>[0-9]+) +(?P<name>\S+)\s*"),
        "154 NAME",
        _scored,
        lambda settings, entrants: 2 * int(settings["rounds"]) * (entrants - 1),
    ),
)
