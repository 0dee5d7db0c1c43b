"""Leaderboards: each game has a query that scores its matches, with 95 % intervals.

Tournaments of which only the final table is known get a separate leaderboard, from these tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise, takewhile
from os.path import commonprefix
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill

from audit import memory, package_sql
from audit.errors import AuditError
from audit.loading.columns import literal
from audit.memory import Rows
from audit.query import Result
from audit.result_format import as_table, objects, plain
from audit.sql_files import run_scripts
from audit.tables import Database
from schema import registry
from schema.columns import width
from schema.discovery import STAGES, stage_name
from schema.errors import NothingToDo
from schema.log_path import shell_word

FORMAT = "koth-leaderboard/1"
SHORT = 8
"""Minimum digits of a bot's hash in text."""
WIDTH = 100
"""Characters per line of text."""
HEADS = {
    "successes": "succ.",
    "points_per_game": "per_game",
    "score_per_game": "per_game",
    "points_per_round": "per_round",
    "credits_per_match": "per_match",
    "disqualifications": "disq.",
    "difference_low": "diff_low",
    "difference_high": "diff_high",
}
"""Short names of columns in text; JSON and SQL have the full names."""

MACROS = Path(str(files("audit"))) / "leaderboards"
"""Folder whose ``_*.sql`` make the shared macros: the seats that count, and the intervals."""

FINAL_TABLES = (
    "From final tables only: no match of these tournaments was read. Low and high, if the score "
    "counts games won: the 95 % Wilson interval of score per game."
)


@dataclass(frozen=True)
class Board:
    """One leaderboard."""

    game: str
    final_tables: bool
    """Whether it adds up final tables; otherwise it comes from matches."""
    result: Result
    note: str
    """The kind of its interval, as text."""

    @property
    def rows(self) -> list[dict[str, object]]:
        """The rows as dictionaries by column name, best first."""
        return objects(self.result)


def leaderboards(database: Database) -> list[Board]:
    """Return the leaderboards of all games that have a row, those from final tables last.

    Raises NothingToDo if no match counts and no final table was read.
    """
    boards = [
        Board(game, False, leaderboard(database, game), note(game)) for game in database.games
    ]
    boards += [
        Board(game, True, final_table(database, game), FINAL_TABLES) for game in database.games
    ]
    if not any(board.result.rows for board in boards):
        raise NothingToDo(f"no match counts, and no final table was read. {what_counts(database)}")
    return [board for board in boards if board.result.rows]


def leaderboard(database: Database, game: str) -> Result:
    """Return the leaderboard of one game, best first. Raises AuditError if its query fails."""
    prepare(database)
    database.execute("SET VARIABLE game = $game", {"game": game})
    path = registry.card(game).leaderboard
    sql = package_sql.text(path, "leaderboard")
    result = _result(*package_sql.run(database, path, sql, "leaderboard"))
    if not result.columns:
        raise AuditError(f"{path}: expected a query that ranks bots, found no statement")
    if not result.rows:
        counting = f"SELECT count(*) FROM seats() WHERE game = {literal(game)} AND counts"
        [(seats,)] = database.rows(counting)
        if seats:
            raise AuditError(f"{path}: expected a query that ranks the bots of {game}, found none")
    return result


def final_table(database: Database, game: str) -> Result:
    """Add up the final tables of a game's tournaments of which no match was read."""
    prepare(database)
    return _result(*memory.run(database, f"FROM final_table({literal(game)})"))


def what_counts(database: Database) -> str:
    """Say which matches count; in a contest also how its stages are ranked by themselves."""
    contests = database.rows(
        "SELECT path, min(stage) FROM contests JOIN logs USING (log) LEFT JOIN stages USING (log) "
        "GROUP BY path ORDER BY path"
    )
    if not contests:
        return "A match counts if it is finished and not void."
    text = (
        "In a contest a match counts if it is finished and not void, its stage is finished, and "
        "its bots are still in, with the versions that played."
    )
    path, stage = contests[0]
    if stage is None:
        return text
    folder = Path(path).parent / STAGES / stage_name(stage)
    return f"{text} `koth leaderboard {shell_word(folder)}` takes a stage by itself."


def unfinished(database: Database) -> list[str]:
    """Return the paths of tournament logs without a seal; ranks of their games are by rate."""
    prepare(database)
    return [path for (path,) in database.rows("SELECT path FROM unfinished()")]


def note(game: str) -> str:
    """Return "low and high: …" from the head comment of a game's leaderboard query, or ""."""
    lines = registry.card(game).leaderboard.read_text(encoding="utf-8").splitlines()
    head = " ".join(line[3:] for line in takewhile(lambda line: line.startswith("--"), lines))
    return "".join(head.partition("low and high:")[1:])


def prepare(database: Database) -> None:
    """Make the macros of leaderboards, ratings and comparisons, on the first call only."""
    if database.ranks:
        return
    run_scripts(database, MACROS, "_*.sql")
    database.ranks = True


def as_text(boards: Sequence[Board], *, full_hash: bool = False) -> str:
    """Return a title, a table and the note of each leaderboard, with full or short hashes."""
    results = [board.result for board in boards]
    shown = results if full_hash else shortened(results)
    return "\n".join(
        f"{board.game}{', final tables' if board.final_tables else ''}\n\n"
        f"{table(result)}" + (f"\n{wrapped(board.note)}\n" if board.note else "")
        for board, result in zip(boards, shown, strict=True)
    )


def table(result: Result) -> str:
    """Return a table with short column names, at most ``WIDTH`` wide if possible."""
    short = Result(tuple(HEADS.get(name, name) for name in result.columns), result.rows)
    text = as_table(short)
    return text if max(map(width, text.splitlines())) <= WIDTH else as_table(short, gap=" ")


def shortened(results: Sequence[Result]) -> list[Result]:
    """Return the tables with short hashes in the column ``bot``, unique over all tables."""
    short = short_hashes(
        str(row[result.columns.index("bot")])
        for result in results
        if "bot" in result.columns
        for row in result.rows
    )

    def shorten(result: Result) -> Result:
        rows = [
            tuple(
                short[str(value)] if name == "bot" else value
                for name, value in zip(result.columns, row, strict=True)
            )
            for row in result.rows
        ]
        return Result(result.columns, rows)

    return [shorten(result) for result in results]


def short_hashes(hashes: Iterable[str]) -> dict[str, str]:
    """Return the first digits of each hash: at least 8, and enough to tell it from the others.

    In order, each hash has the longest common start with one of its neighbours.
    """
    ordered = sorted(set(hashes))
    shared = (len(commonprefix(pair)) for pair in pairwise(ordered))  # noqa: RUF071 - of digits
    common = [0, *shared, 0]
    return {
        hash: hash[: max(SHORT, common[number] + 1, common[number + 1] + 1)]
        for number, hash in enumerate(ordered)
    }


def wrapped(note: str) -> str:
    """Break a note into lines that fit the terminal, of at most ``WIDTH`` characters."""
    columns = min(WIDTH, get_terminal_size((WIDTH, 0)).columns)
    return fill(note, columns, break_long_words=False, break_on_hyphens=False)


def as_json(boards: Sequence[Board], unfinished: Sequence[Mapping[str, object]] = ()) -> str:
    """Return ``{"format":"koth-leaderboard/1","games":{"coup":[{…},…]},"final_tables":{…}, …}``.

    ``unfinished`` describes the tournaments that are not finished; it is left out if empty.
    """
    from_matches = [board for board in boards if not board.final_tables]
    value = {
        "format": FORMAT,
        "games": {board.game: board.rows for board in from_matches},
        "final_tables": {b.game: b.rows for b in boards if b.final_tables},
        "notes": {board.game: board.note for board in from_matches},
        **({"unfinished": list(unfinished)} if unfinished else {}),
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _result(columns: Sequence[str], rows: Rows) -> Result:
    """Return the table of a query, with values that JSON can hold."""
    return Result(tuple(columns), [tuple(map(plain, row)) for row in rows])
