"""Import final tables as they were published, or printed by a game's controller, best first.

The first line decides which game it is. White space around a line is ignored. A number of games
that the table does not contain follows from the game's default settings; the audit checks the sums.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from games.importing.imported import Imported, tournament_started
from games.importing.source import Lines, fingerprint, only
from games.standings import ranks
from schema import registry
from schema.scan import short_repr
from schema.words import counted

DECIMALS = 100
"""Maximum decimals of a ratio."""

MOST_BOTS = 10_000
"""Maximum bots of a table, so that the list of them fits in one line of a log."""


@dataclass(frozen=True)
class TableLine:
    """One line of a final table."""

    name: str
    score: int
    games: int | None = None
    """None if the line does not contain it."""
    rank: int | None = None
    """None if the line does not contain it."""

    @property
    def worth(self) -> Fraction:
        """The value that decides the rank: the score, or score ÷ games if the line has both."""
        return Fraction(self.score, 1 if self.games is None else max(1, self.games))


@dataclass(frozen=True)
class Form:
    """The form of a game's final table."""

    game: str
    pattern: re.Pattern[str]
    example: str
    read_line: Callable[[Lines, re.Match[str]], TableLine]
    games: Callable[[Mapping[str, Any], int], int] = lambda settings, entrants: 0
    """Games of each entrant, from settings and number of entrants, if no line contains them."""


def read(paths: Sequence[Path]) -> Imported:
    """Import one final table as a tournament without matches.

    Raises UsageError for several files, and for the first line that is not valid.
    """
    lines = Lines(only(paths, "final table"))
    form, rows = _table(lines)
    card = registry.card(form.game)
    settings = card.settings({}).model_dump()
    games = form.games(settings, len(rows))
    rank_of = ranks(row.worth for row in rows)
    standings = [
        {
            "rank": row.rank or rank_of[row.worth],
            "entrant": entrant,
            "score": row.score,
            "games": games if row.games is None else row.games,
        }
        for entrant, row in enumerate(rows)
    ]
    names = [row.name for row in rows]
    tournament = [
        tournament_started(card, fingerprint([lines.content]), names, settings),
        {"type": "tournament_finished", "standings": standings},
    ]
    summary = f"the final table of {card.title} with {counted(len(rows), 'bot')}"
    note = None
    if rows[0].games is None:
        note = (
            f"{lines.path} does not say how many games each bot played; {games} follow from the "
            "default settings."
        )
    return Imported(summary, {}, tournament, note)


def _table(lines: Lines) -> tuple[Form, list[TableLine]]:
    for form in FORMS:
        if line := lines.take(form.pattern, form.example):
            break
    else:
        raise lines.unexpected()
    rows: list[TableLine] = []
    names: set[str] = set()
    while True:
        row = form.read_line(lines, line)
        if lines.name(row.name) in names:
            raise lines.wrong("each name once", f"{short_repr(row.name)} again")
        if len(rows) == MOST_BOTS:
            raise lines.wrong(f"at most {MOST_BOTS} bots", "one more")
        names.add(row.name)
        rows.append(row)
        if not lines.left:
            return form, rows
        line = lines.need(form.pattern, form.example)


def _rated(lines: Lines, line: re.Match[str]) -> TableLine:
    """SU-6: read wins, games, and their ratio, which must agree."""
    row = TableLine(line["name"], lines.number(line["wins"]), lines.number(line["games"]))
    digits = len(line["rate"].partition(".")[2])
    if digits > DECIMALS:
        raise lines.wrong(f"a ratio of at most {DECIMALS} decimals", short_repr(line["rate"]))
    # The ratio may be rounded up or down.
    if abs(Fraction(line["rate"]) - row.worth) > Fraction(1, 2 * 10**digits):
        rate = f"{float(row.worth):.4f}"
        raise lines.wrong(f"{rate}, which is {row.score} ÷ {row.games}", line["rate"])
    return row


def _ranked(lines: Lines, line: re.Match[str]) -> TableLine:
    """CN-10: read the rank and the sum of points."""
    rank = lines.number(line["rank"])
    if rank == 0:
        raise lines.wrong("a rank of at least 1", "0")
    return TableLine(line["name"], lines.number(line["score"]), rank=rank)


def _scored(lines: Lines, line: re.Match[str]) -> TableLine:
    """CP-20: read the points."""
    return TableLine(line["name"], lines.number(line["score"]))


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
