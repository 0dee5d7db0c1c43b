"""Compute from a run of the benchmarks how long the largest contests take: ``hours FILE``.

The matches of a contest follow from the default settings of each game, and the decisions of a match
are the most that its rules allow. The processor time of a decision is measured. A match is played
by one processor at a time, so a contest uses at most one processor per match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil
from statistics import mean
from typing import Any, NamedTuple

from benchmarks._page import NoReport
from benchmarks._smallest_unique import BLOCK
from schema import registry

BOTS = (10, 100, 1_000)
CORES = (2, 16, 1_000)
PYTHON, JAVA = (
    f"{way}, processor time" for way in ("Python without a proof, process", "Java, process, cold")
)
"""The figures of ``languages`` for a decision that is most expensive. With several jobs, no bot is
started ahead."""

CLASS_BOTS = f"bots without a proof, {BLOCK}"
"""The figure of ``class_bots`` for bots that are most expensive."""


class Contest(NamedTuple):
    """The size of a contest: matches, and decisions of one match (class bots: rounds)."""

    matches: int
    decisions: int


def coup(bots: int) -> Contest:
    """CP-3, CP-19: every pair plays twice a round, and a match has at most ``max_calls`` calls."""
    settings: Any = registry.card("coup").settings({})
    return Contest(settings.rounds * bots * (bots - 1), settings.max_calls)


def coins(bots: int) -> Contest:
    """CN-1, CN-3, CN-10: groups of at most 60 bots play ``games`` games, a turn each per round."""
    settings: Any = registry.card("coins").settings({})
    groups = ceil(bots / 60)
    return Contest(groups * settings.games, settings.rounds * ceil(bots / groups))


def bank_heist(bots: int) -> Contest:
    """BH-1, BH-5: a match of at most 500 bots, with at most two questions to each per game."""
    settings: Any = registry.card("bank_heist").settings({})
    groups = ceil(bots / 500)
    return Contest(groups * settings.matches, settings.games_max * 2 * ceil(bots / groups))


def smallest_unique(bots: int) -> Contest:
    """SU-1, SU-6: ``games_per_entrant`` matches per bot, of ``rounds`` rounds."""
    settings: Any = registry.card("smallest_unique").settings({})
    return Contest(settings.games_per_entrant * bots, settings.rounds)


GAMES: Mapping[str, Callable[[int], Contest]] = {
    "coup": coup,
    "coins": coins,
    "bank_heist": bank_heist,
    "smallest_unique": smallest_unique,
}


def table(reports: Iterable[Mapping[str, Any]]) -> str:
    """Return the table in Markdown. Raises NoReport if a figure is missing."""
    values = {
        figure["name"]: figure["value"]
        for report in reports
        if report["benchmark"] in ("languages", "class_bots")
        for figure in report["figures"]
    }
    if missing := {PYTHON, JAVA, CLASS_BOTS} - values.keys():
        raise NoReport(f"expected figures of languages and class_bots, found no '{min(missing)}'.")
    both = {"Python": values[PYTHON], "Java": values[JAVA]}
    processes = both | {"mixed": mean(both.values())}
    classes = {"Python": 1_000 / values[CLASS_BOTS]}
    hours = "".join(f" hours, {cores:,} cores |" for cores in CORES)
    lines = [
        f"| game | bots | language | matches | decisions each | ms each |{hours}",
        "| --- | --- | --- | --- | --- | --- |" + " --- |" * len(CORES),
    ]
    for game, size in GAMES.items():
        card = registry.card(game)
        costs = classes if card.protocol == "class" else processes
        for bots in BOTS:
            for language, milliseconds in costs.items():
                lines.append(row(card.title, bots, language, size(bots), milliseconds))
    return "\n".join(lines) + "\n"


def row(title: str, bots: int, language: str, contest: Contest, milliseconds: float) -> str:
    """Return the row of one contest, with its hours on each number of processors."""
    core_hours = contest.matches * contest.decisions * milliseconds / 3_600_000
    hours = (core_hours / min(cores, contest.matches) for cores in CORES)
    cells = (
        *(title, f"{bots:,}", language, f"{contest.matches:,}", f"{contest.decisions:,}"),
        *(rounded(number) for number in (milliseconds, *hours)),
    )
    return "| " + " | ".join(cells) + " |"


def rounded(number: float) -> str:
    """Return a number with two significant digits."""
    digits = f"{number:,.0f}" if number >= 100 else f"{float(f'{number:.2g}'):g}"
    return digits if number >= 0.01 else "< 0.01"
