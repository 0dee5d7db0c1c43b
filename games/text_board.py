"""Boards of text: the state of a match in a few lines of a terminal.

The card of a game names the function that draws (``text_board``); :class:`TextBoard` keeps its
lines within the terminal. The other functions are for games that draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any

from rich.cells import cell_len, set_cell_size

from games.narration import short
from schema.card import Card
from schema.contract import SuppressFailures
from schema.log_path import printable

LINES = 8
"""Maximum lines of a board."""

GAP = 3
"""Columns of the terminal between two entries of a grid."""

SHORTEST = 8
"""Minimum columns for a name."""

UNITS = {10**18: "E", 10**15: "P", 10**12: "T", 10**9: "G", 10**6: "M"}
"""Letters for large numbers (SI prefixes)."""


class TextBoard:
    """Draws the states of one match as text."""

    def __init__(self, card: Card, start: Mapping[str, Any]) -> None:
        """``start`` is the first event of the log. Raises CardError for a broken package."""
        self.players = [short(player["name"]) for player in start.get("players", ())]
        self.draw = card.text_drawer()
        self.is_built_in = card.built_in

    def __call__(self, state: Mapping[str, Any] | None, width: int) -> list[str]:
        """Return at most ``LINES`` printable lines, none wider than ``width`` columns.

        There are none without a state, for a game that draws none, and for a function that fails.
        """
        if self.draw is None or state is None or width < 1:
            return []
        with SuppressFailures():
            arguments = (state, self.players)
            lines = self.draw(*(arguments if self.is_built_in else deepcopy(arguments)), width)
            return [fit(printable(str(line)), width).rstrip() for line in islice(lines, LINES)]
        return []


def fit(text: str, width: int) -> str:
    """Return ``text`` if it fits into ``width`` columns, else its beginning and ``…``."""
    return text if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"


def pad(text: str, width: int) -> str:
    """Return ``text`` in exactly ``width`` columns: cut, or with spaces behind."""
    return set_cell_size(fit(text, width), width)


def grid(entries: Sequence[str], width: int, lines: int) -> list[str]:
    """Return ``entries`` in at most ``lines`` lines, in columns of equal width from top to bottom.

    If there is no room for all, the last entry says how many others there are.
    """
    if not entries:
        return []
    size = max(map(cell_len, entries))
    columns = max(1, (width + GAP) // (size + GAP))
    if len(entries) > columns * lines:
        shown = columns * lines - 1
        entries = [*entries[:shown], f"… and {len(entries) - shown:,} others"]
    rows = -(-len(entries) // columns)
    table = [entries[row::rows] for row in range(rows)]
    gap = " " * GAP
    return ["".join(pad(entry, size) + gap for entry in row[:-1]) + row[-1] for row in table]


def name_size(names: Sequence[str], rest: int, width: int, lines: int) -> int:
    """Return the columns for a name in a grid whose entries have ``rest`` further columns.

    They are as many as the longest name needs, or fewer so that two entries fit beside each other
    if ``lines`` lines are too few for all.
    """
    room = width - rest
    if len(names) > lines and (half := (width - GAP) // 2 - rest) >= SHORTEST:
        room = half
    return max(SHORTEST, min(room, max(map(cell_len, names))))


def join(parts: Iterable[str]) -> str:
    """Return the parts that are not empty, with a dot between two of them."""
    return " · ".join(filter(None, parts))


def number(value: int) -> str:
    """Return a number with separators; from a million on its first digits: ``1.23M``."""
    sign, size = "−" if value < 0 else "", abs(value)
    for scale, unit in UNITS.items():
        if size >= scale:
            return f"{sign}{min(size / scale, 999):.3g}{unit}"
    return f"{sign}{size:,}"
