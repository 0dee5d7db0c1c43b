"""Standings for a page: the numbers, with a bar and its interval beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from report.contents import Standings

Bar = dict[str, float]

RANK, NAME = "rank", "name"
BOT = "bot"
"""The column with the hash of a bot's files."""

FAULTS = ("faults", "forfeits", "disqualifications")
"""The columns that count faults, or matches with one."""


def column(standings: Standings, name: str) -> list[object]:
    """Return the values of a column, none if a package's leaderboard does not have it."""
    if name not in standings.columns:
        return []
    at = [*standings.columns].index(name)
    return [row[at] for row in standings.rows]


def bars(rows: Sequence[Sequence[object]]) -> list[Bar | None]:
    """Return the positions of each bar and its interval, in percent of the width.

    The scale runs from the least to the largest number. Each of ``rows`` begins with a mean and
    the two ends of its interval; None and a text that is no number, as a package's leaderboard may
    have, are missing numbers.
    """
    intervals = [[_number(value) for value in row[:3]] for row in rows]
    numbers = [number for row in intervals for number in row if number is not None]
    least, most = min([0.0, *numbers]), max([0.0, *numbers])

    def percent(number: float) -> float:
        return round(100 * (number - least) / ((most - least) or 1), 2)

    drawn: list[Bar | None] = []
    for mean, low, high in intervals:
        if mean is None:
            drawn.append(None)
            continue
        left, right = sorted((percent(0), percent(mean)))
        bar = {"zero": percent(0), "left": left, "width": round(right - left, 2)}
        if low is not None and high is not None:
            bar |= {"low": percent(low), "high": percent(high)}
        drawn.append(bar)
    return drawn


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def places(values: Iterable[object]) -> int:
    """Return the number of decimal places for the numbers of one column.

    The smallest number but 0 has two digits, if four places are enough. NaN and infinities, which
    a package's leaderboard may have, do not count.
    """
    numbers = [value for value in values if isinstance(value, float) and math.isfinite(value)]
    sizes = [abs(number) for number in numbers if number] or [1.0]
    least = 4 if max(sizes) < 10 else 2 if max(sizes) < 1000 else 1
    return max(least, min(4, 1 - math.floor(math.log10(min(sizes)))))


def table(standings: Standings, most: int | None = None) -> dict[str, object]:
    """Return a table of standings, with a bar in each row if it has an interval.

    The table has the ``most`` best bots. Hashes of bots are left out, unless bots share a name.
    """
    columns, rows = list(standings.columns), standings.rows
    if BOT in columns and len({*column(standings, NAME)}) == len(rows):
        at = columns.index(BOT)
        del columns[at]
        rows = [[*row[:at], *row[at + 1 :]] for row in rows]
    triples = (n for n in range(1, len(columns)) if columns[n : n + 2] == ["low", "high"])
    low = next(triples, None)
    drawn = [None] * len(rows) if low is None else bars([row[low - 1 :] for row in rows])
    digits = [places([row[n] for row in rows]) for n in range(len(columns))]
    if low is not None:  # an interval is as exact as its mean
        digits[low : low + 2] = [digits[low - 1]] * 2
    return {
        "columns": columns,
        "places": digits,
        "text": [_is_text(name, [row[n] for row in rows]) for n, name in enumerate(columns)],
        "rows": list(zip(rows, drawn, strict=True))[:most],
        "left_out": max(0, len(rows) - most) if most else 0,
        "fault_columns": FAULTS if NAME in columns else (),
        "name_at": columns.index(NAME) if NAME in columns else None,
        "measure": None if low is None else columns[low - 1].replace("_", " "),
        "whiskers": any(bar and "low" in bar for bar in drawn),
        "note": standings.note,
    }


def _is_text(name: str, values: Iterable[object]) -> bool:
    """Return whether a column is of texts, which a package's leaderboard may take from bots."""
    return name not in (NAME, BOT) and any(isinstance(value, str) for value in values)


def bots(tables: Iterable[Standings]) -> list[tuple[str, str]]:
    """Return the name and the hash of each bot in the standings, by name."""
    return sorted(
        {
            (str(name), str(bot))
            for table in tables
            for name, bot in zip(column(table, NAME), column(table, BOT), strict=False)
        }
    )


def leaders(standings: Standings) -> list[str]:
    """Return the names of the bots that share the first rank."""
    places = zip(column(standings, RANK), column(standings, NAME), strict=False)
    return [str(name) for rank, name in places if rank == 1]
