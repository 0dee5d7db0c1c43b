"""Read the data of the plot that summarizes the matches of one game.

A plot is an SQL file that the game's card names as ``story``; the default plots the scores. The
file begins with comment lines ``-- key: value``:

- ``title``;
- ``kind``: ``lines``, with rows (series, x, y), or ``pairs``, with rows (series, x, y, played),
  where y counts the wins of ``series`` in ``played`` meetings with ``x``;
- ``x`` and ``y``: labels of the axes;
- ``scale``: ``log`` for a logarithmic y axis.

Further comment lines explain the numbers. The query may use the macros of the leaderboards. Rows
with NULL, NaN or an infinite number are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import Any

from audit import package_sql
from audit.errors import AuditError
from audit.leaderboard import prepare
from audit.tables import Database
from schema import registry

DEFAULT = Path(str(files("audit"))) / "stories" / "score_by_match.sql"
"""The file for a game whose card names no ``story``."""

KINDS = {"lines": ("series", "x", "y"), "pairs": ("series", "x", "y", "played")}
"""The columns of the query, by kind."""
NAMES = {"lines": ("series",), "pairs": ("series", "x")}
"""The columns with names of bots; the others have numbers."""
MOST = 1e300
"""Maximum size of a number: the axes of a plot reach a little beyond it."""

_KEY = re.compile(r"(title|kind|x|y|scale): (.+)")


@dataclass(frozen=True)
class MatchPlot:
    """The data and the labels of a plot."""

    title: str
    kind: str
    """``lines``: rows are (series, x, y). ``pairs``: (series, x, y, played)."""
    x: str
    y: str
    log: bool
    """Whether the y axis is logarithmic."""
    note: str
    """The explanation of the numbers."""
    rows: Sequence[Sequence[Any]]


def match_plot(database: Database, game: str) -> MatchPlot:
    """Return the plot of one game. Raises AuditError if its file is malformed or fails."""
    prepare(database)
    path = registry.card(game).story or DEFAULT
    text = package_sql.text(path, "story")
    keys, note = _head(text)
    names, rows = package_sql.run(database, path, text, "story")
    if missing := [key for key in ("title", "kind", "x", "y") if key not in keys]:
        raise AuditError(f"{path}: expected a line '-- {missing[0]}: …' at its head, found none")
    kind = keys["kind"]
    if kind not in KINDS:
        raise AuditError(f"{path}: kind: expected {' or '.join(KINDS)}, found {kind!r}")
    if (columns := tuple(names)) != KINDS[kind]:
        found = ", ".join(columns) or "none"
        raise AuditError(
            f"{path}: expected the columns {', '.join(KINDS[kind])}, found {found:.200}"
        )
    is_log = keys.get("scale") == "log"
    table = [
        [
            _value(path, column, value, is_name=column in NAMES[kind])
            for column, value in zip(columns, row, strict=True)
        ]
        for row in rows
    ]
    complete = [row for row in table if None not in row]
    return MatchPlot(keys["title"], kind, keys["x"], keys["y"], is_log, note, complete)


def _value(path: Path, column: str, value: object, *, is_name: bool) -> str | float | None:
    """Return a name or a number; None for NULL and for a number that no axis can show.

    Raises AuditError for a value of another type.
    """
    match value:
        case None:
            return None
        case str() if is_name:
            return value
        case int() | float() | Decimal() if not is_name:
            number = float(value) if isinstance(value, Decimal) else value
            return number if abs(number) <= MOST else None
    expected = "a name" if is_name else "a number"
    raise AuditError(f"{path}: {column}: expected {expected}, found {value!r}")


def _head(text: str) -> tuple[dict[str, str], str]:
    """Return the keys and the explanation in the head comment of a plot's file."""
    keys, words = {}, []
    for line in takewhile(lambda line: line.startswith("-- "), text.splitlines()):
        if key := _KEY.fullmatch(line[3:]):
            keys[key[1]] = key[2]
        else:
            words.append(line[3:])
    return keys, " ".join(words)
