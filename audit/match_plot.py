"""What happened in the matches at hand, as one picture: every game has a query of its own for it.

A story is a SQL file. Its head says how it is drawn, a line ``-- key: value`` each:

- ``title``;
- ``kind``: ``lines``, whose rows are (series, x, y), or ``pairs``, whose rows are (series, x, y,
  played): how often ``series`` won, of so many meetings with ``x``;
- ``x`` and ``y``: what stands along the axes;
- ``scale``: ``log``, if y is to be drawn so;

and then, in words, how the numbers come about. The query sees what the leaderboards see. A game
names its file in its card (``story``); one that names none has its scores drawn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from itertools import takewhile
from pathlib import Path

import duckdb

from audit.errors import AuditError
from audit.leaderboard import prepare
from audit.query import Result
from audit.tables import Database
from schema import registry

GENERIC = Path(str(files("audit"))) / "stories" / "score_by_match.sql"
"""The story of a game that has none of its own."""

KINDS = {"lines": ("series", "x", "y"), "pairs": ("series", "x", "y", "played")}
"""The columns that the query of each kind returns."""

_KEY = re.compile(r"(title|kind|x|y|scale): (.+)")


@dataclass(frozen=True)
class Story:
    """A picture's numbers, and how to draw them."""

    title: str
    kind: str
    """``lines`` or ``pairs``."""
    x: str
    y: str
    log: bool
    """Whether y is drawn on a logarithmic scale."""
    note: str
    """How the numbers come about."""
    result: Result


def story(database: Database, game: str) -> Story:
    """The story of one game. Raises AuditError for a file that is none."""
    prepare(database)
    path = registry.card(game).story or GENERIC
    try:
        text = path.read_text()
        keys, note = _head(text)
        cursor = database.connection.execute(text)
        columns = tuple(column[0] for column in cursor.description or ())
        rows = cursor.fetchall()
    except (OSError, duckdb.Error) as error:
        raise AuditError(f"{path}: this story does not run: {error}") from error
    if missing := [key for key in ("title", "kind", "x", "y") if key not in keys]:
        raise AuditError(f"{path}: expected a line '-- {missing[0]}: …' at its head, found none")
    kind = keys["kind"]
    if kind not in KINDS:
        raise AuditError(f"{path}: kind: expected {' or '.join(KINDS)}, found {kind!r}")
    if columns != KINDS[kind]:
        raise AuditError(
            f"{path}: expected the columns {', '.join(KINDS[kind])}, found {', '.join(columns)}"
        )
    result = Result(columns, [row for row in rows if None not in row])
    is_log = keys.get("scale") == "log"
    return Story(keys["title"], kind, keys["x"], keys["y"], is_log, note, result)


def _head(text: str) -> tuple[dict[str, str], str]:
    """The keys at the head of a story's file, and its words."""
    keys, words = {}, []
    for line in takewhile(lambda line: line.startswith("-- "), text.splitlines()):
        if found := _KEY.fullmatch(line[3:]):
            keys[found[1]] = found[2]
        else:
            words.append(line[3:])
    return keys, " ".join(words)
