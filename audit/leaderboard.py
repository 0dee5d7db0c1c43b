"""Leaderboards: every game scores its matches with a query of its own, with 95 % intervals.

Where a tournament is at hand as its final table alone, that table stands in, on a board of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from textwrap import fill

import duckdb

from audit.errors import AuditError
from audit.query import Result
from audit.result_format import as_table
from audit.sql_files import run_scripts
from audit.tables import Database
from schema import registry
from schema.errors import NothingToDo

FORMAT = "koth-leaderboard/1"
SHORT = 8
"""Digits of a bot's hash in text, if no other bot's hash begins with them."""
WIDTH = 100
"""Columns of text."""
HEADS = {
    "successes": "succ.",
    "points_per_game": "per_game",
    "score_per_game": "per_game",
    "points_per_round": "per_round",
    "credits_per_match": "per_match",
    "disqualifications": "disq.",
}
"""What long columns are called in text; JSON and SQL have the full names."""

MACROS = Path(str(files("audit"))) / "leaderboards"
"""Its ``_*.sql`` make what the leaderboards share: which seats count, and the intervals."""

FINAL_TABLES = (
    "from final tables alone: no match of these tournaments is at hand. low and high, where the "
    "score counts games won: the 95 % interval of score per game after Wilson."
)


@dataclass(frozen=True)
class Board:
    """One leaderboard."""

    game: str
    final_tables: bool
    """Whether it adds up final tables; else it is made from matches."""
    result: Result
    note: str
    """Which interval it has."""


def leaderboards(database: Database) -> list[Board]:
    """The leaderboards of all games that have a line here; those from final tables come last.

    Raises NothingToDo when no match counts and there is no final table either.
    """
    boards = [
        Board(game, False, leaderboard(database, game), note(game)) for game in database.games
    ]
    boards += [
        Board(game, True, final_table(database, game), FINAL_TABLES) for game in database.games
    ]
    if not any(board.result.rows for board in boards):
        raise NothingToDo(
            "no match here counts (came to an end, and is not void), and there is no final table."
        )
    return [board for board in boards if board.result.rows]


def leaderboard(database: Database, game: str) -> Result:
    """The leaderboard of one game, best first. Raises AuditError when its query does not run."""
    prepare(database)
    path = registry.card(game).leaderboard
    try:
        return _result(database.connection.execute(path.read_text()))
    except (OSError, duckdb.Error) as error:
        raise AuditError(f"{path}: this leaderboard does not run: {error}") from error


def final_table(database: Database, game: str) -> Result:
    """The final tables of a game, added up, of tournaments of which no match is at hand."""
    prepare(database)
    return _result(database.connection.execute("FROM final_table(?)", [game]))


def unfinished(database: Database) -> list[str]:
    """The paths of tournaments' logs that have no seal: while there is one, ranks are by rate."""
    prepare(database)
    return [path for (path,) in database.connection.execute("FROM unfinished()").fetchall()]


def note(game: str) -> str:
    """What the query of a game's leaderboard says of its interval: the head's "low and high: …"."""
    lines = registry.card(game).leaderboard.read_text().splitlines()
    head = " ".join(line[3:] for line in takewhile(lambda line: line.startswith("--"), lines))
    return "".join(head.partition("low and high:")[1:])


def prepare(database: Database) -> None:
    """Make the macros that leaderboards, ratings and comparisons share."""
    run_scripts(database.connection, MACROS, "_*.sql")


def as_text(boards: Sequence[Board], *, full_hash: bool = False) -> str:
    """A title, a table and the note for each; hashes in full or shortened."""
    results = [board.result for board in boards]
    shown = results if full_hash else shortened(results)
    return "\n".join(
        f"{board.game}{', final tables' if board.final_tables else ''}\n\n"
        f"{table(result)}" + (f"\n{wrapped(board.note)}\n" if board.note else "")
        for board, result in zip(boards, shown, strict=True)
    )


def table(result: Result) -> str:
    """A table with short heads, in fewer columns than ``WIDTH`` as far as its names allow."""
    short = Result(tuple(HEADS.get(name, name) for name in result.columns), result.rows)
    text = as_table(short)
    return text if max(map(len, text.splitlines())) <= WIDTH else as_table(short, gap=" ")


def shortened(results: Sequence[Result]) -> list[Result]:
    """Tables with the beginnings of the hashes in their columns ``bot``."""
    places = [
        result.columns.index("bot") if "bot" in result.columns else None for result in results
    ]
    hashes = {
        str(row[place])
        for result, place in zip(results, places, strict=True)
        if place is not None
        for row in result.rows
    }
    short = {one: beginning(one, hashes) for one in hashes}
    return [
        result
        if place is None
        else Result(
            result.columns,
            [(*row[:place], short[str(row[place])], *row[place + 1 :]) for row in result.rows],
        )
        for result, place in zip(results, places, strict=True)
    ]


def beginning(hash: str, others: Iterable[str]) -> str:
    """The first digits of a hash, 8 or as many as no other hash begins with."""
    different = [other for other in others if other != hash]
    sizes = range(SHORT, len(hash) + 1)
    found = (n for n in sizes if not any(other.startswith(hash[:n]) for other in different))
    return hash[: next(found, len(hash))]


def wrapped(note: str) -> str:
    """A note in lines that fit a terminal."""
    return fill(note, WIDTH, break_long_words=False, break_on_hyphens=False)


def as_json(boards: Sequence[Board], unfinished: Sequence[Mapping[str, object]] = ()) -> str:
    """``{"format":"koth-leaderboard/1","games":{"coup":[{…},…]},"final_tables":{…},"notes":{…}}``.

    ``unfinished`` are tournaments that are not over; with one of them, ranks are by rate.
    """
    made = [board for board in boards if not board.final_tables]
    value = {
        "format": FORMAT,
        "games": {board.game: objects(board.result) for board in made},
        "final_tables": {b.game: objects(b.result) for b in boards if b.final_tables},
        "notes": {board.game: board.note for board in made},
        **({"unfinished": list(unfinished)} if unfinished else {}),
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def objects(result: Result) -> list[dict[str, object]]:
    """The rows as objects: names, numbers and null."""
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


def _result(cursor: duckdb.DuckDBPyConnection) -> Result:
    return Result(tuple(column[0] for column in cursor.description or ()), cursor.fetchall())
