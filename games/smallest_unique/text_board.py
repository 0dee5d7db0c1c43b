"""Smallest Unique Number as text: the numbers with the bots that chose them, and the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.narration import counted
from games.smallest_unique.rules import NUMBERS
from games.text_board import GAP, fit, grid, join, pad

COLUMNS = 2
"""Columns of numbers: from 1 to 5, and from 6 to 10."""

NAME = 12
"""Columns of the terminal for a name in the list of points."""

POINTS = "points: "


def draw(state: Mapping[str, Any], players: Sequence[str], width: int) -> list[str]:
    """Return the last round, five lines with two numbers each, and the bots with most points."""
    choices, winner = state["choices"] or [], state["winner"]
    size = max(1, (width - GAP * (COLUMNS - 1)) // COLUMNS)
    entries = []
    for chosen in NUMBERS:
        names = [players[seat] for seat, choice in enumerate(choices) if choice == chosen]
        mark = "▸" if winner is not None and choices[winner] == chosen else " "
        entries.append(pad(_number(f"{mark}{chosen:>2}  ", names, size), size))
    scores = "" if winner is None else f"{players[winner]} scores"
    first = join([f"round {state['rounds']:,}", scores])
    return [first, *grid(entries, width, len(entries) // COLUMNS), *_points(state, players, width)]


def _number(mark: str, names: Sequence[str], size: int) -> str:
    """Return the names after the number; if there is no room for all, how many others there are."""
    for shown in range(len(names), 0, -1):
        others = f" +{len(names) - shown}" if shown < len(names) else ""
        text = f"{mark}{', '.join(names[:shown])}{others}"
        if fit(text, size) == text:
            return text
    return mark + (counted(len(names), "bot") if names else "")


def _points(state: Mapping[str, Any], players: Sequence[str], width: int) -> list[str]:
    """Return the bots with their points, most first, in two lines."""
    points = state["points"]
    order = sorted(range(len(points)), key=lambda seat: -points[seat])
    entries = [f"{points[seat]:,} {fit(players[seat], NAME)}" for seat in order]
    return [POINTS + line for line in grid(entries, width - len(POINTS), 2)]
