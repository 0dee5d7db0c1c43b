"""Standings as a page shows them: the numbers, and a bar with a whisker beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from report.contents import Board

Bar = dict[str, float]


def board(one: Board) -> dict[str, object]:
    """A table of standings, with a bar for each line if it has an interval."""
    columns = list(one.columns)
    low = columns.index("low") if "low" in columns else None
    drawn = [None] * len(one.rows) if low is None else bars([row[low - 1 :] for row in one.rows])
    return {
        "columns": columns,
        "places": [places([row[n] for row in one.rows]) for n in range(len(columns))],
        "rows": list(zip(one.rows, drawn, strict=True)),
        "measure": None if low is None else columns[low - 1].replace("_", " "),
        "whiskers": any(bar and "low" in bar for bar in drawn),
        "note": one.note,
    }


def bars(rows: Sequence[Sequence[Any]]) -> list[Bar | None]:
    """Where bar and whisker lie, in percent of the way from the least to the largest number.

    Each of ``rows`` begins with a mean and the two ends of its interval; None is no number.
    """
    numbers = [float(value) for row in rows for value in row[:3] if value is not None]
    least, most = min([0.0, *numbers]), max([0.0, *numbers])

    def at(value: Any) -> float:
        return round(100 * (float(value) - least) / ((most - least) or 1), 2)

    drawn: list[Bar | None] = []
    for mean, low, high, *_ in rows:
        if mean is None:
            drawn.append(None)
            continue
        left, right = sorted((at(0), at(mean)))
        whisker = {} if low is None or high is None else {"low": at(low), "high": at(high)}
        drawn.append({"zero": at(0), "left": left, "width": round(right - left, 2), **whisker})
    return drawn


def places(values: Iterable[object]) -> int:
    """So many decimal places do for numbers that stand together."""
    largest = max((abs(value) for value in values if isinstance(value, float)), default=0)
    return 4 if largest < 10 else 2 if largest < 1000 else 1
