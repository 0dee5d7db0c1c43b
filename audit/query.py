"""Queries over the tables: rows for people and programs, and the list of what there is to query."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import duckdb

from audit import evidence, statements, views
from audit.errors import QueryError
from audit.loading.columns import Column, Columns, literal, quoted
from audit.loading.models import SQL, common_models, models_of, table_prefix
from audit.tables import Database
from schema import registry
from schema.registry import suggest

GENERAL = {
    "log": "The number of the log.",
    "match": "The match's id, {attempt}-{number}.",
    "game": "The game, as `koth games` lists it.",
    "seq": "The event's number in its log; it stands in line seq + 1.",
    "type": "The event's type.",
    "event": "The event as JSON.",
    "seat": "A player's place, from 0.",
}
"""What columns mean wherever nothing more special is said."""

LISTING = re.compile(r"\b(show|describe|pragma|information_schema|sqlite_\w+|duckdb_\w+|pg_\w+)\b")
"""In a query that may list the tables there are."""

_EVENTS = "Every event of every log, as JSON."
_HEAD = re.compile(r"(?:--.*\n)+")
_COLUMN = re.compile(r"^--   (\w+): (.+)\n", re.M)
_MISSING = re.compile(r'does not have a column named "(.+)"')
_SENTENCE = re.compile(r".+?\.(?= |$)")

Found = TypeVar("Found")

EXACT = "DECIMAL(38,0)"
"""What stands in a Parquet file for integers of 128 bits, such as sums: it has none itself."""


@dataclass(frozen=True)
class Result:
    """What a query returns."""

    columns: tuple[str, ...]
    """Their names, each once."""
    rows: Sequence[tuple[object, ...]]


@dataclass(frozen=True)
class Table:
    """One table or view."""

    name: str
    description: str
    columns: tuple[Column, ...]


def query(database: Database, sql: str) -> Result:
    """The rows of one query, or of the last of several statements.

    Once a query has run, the database neither reads nor writes a file nor changes its
    configuration. Raises QueryError for a statement that changes anything, and when DuckDB refuses.
    """
    try:
        statements.check(sql)
        _prepare(database, sql)
        cursor = _answer(database, sql, database.connection.execute)
        names = _distinct([column[0] for column in cursor.description or ()])
        return Result(names, cursor.fetchall())
    except duckdb.Error as error:
        raise _refused(database, error) from error


def query_parquet(database: Database, sql: str) -> bytes:
    """The rows of one query, or of the last of several statements, as a Parquet file.

    Integers of 128 bits become decimals without a fraction. Raises QueryError as :func:`query`.
    """
    path = _parquet(database)
    try:
        statements.check(sql)
        _prepare(database, sql)
        rows = _answer(database, sql, database.connection.sql)
        assert rows is not None  # it ends with a query
        names = _distinct(rows.columns)
        casts = [
            f"#{place}::{re.sub('U?HUGEINT', EXACT, str(type))} AS {quoted(name)}"
            for place, (name, type) in enumerate(zip(names, rows.types, strict=True), start=1)
        ]
        rows.project(", ".join(casts)).write_parquet(str(path), compression="zstd")
        return path.read_bytes()
    except duckdb.Error as error:
        raise _refused(database, error) from error
    finally:
        path.unlink(missing_ok=True)  # over a file DuckDB would write by way of another one


def tables(database: Database) -> list[Table]:
    """Every table and view of the games that are there, with its columns."""
    rows = database.connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal "
        "ORDER BY table_name, column_index"
    ).fetchall()
    found: dict[str, list[tuple[str, str]]] = {}
    for table, column, type in rows:
        found.setdefault(table, []).append((column, type))
    known = _told()
    listed = []
    for name, columns in found.items():
        description, told = known.get(name, ("", {}))
        described = tuple(Column(column, type, told.get(column, "")) for column, type in columns)
        listed.append(Table(name, description, described))
    return listed


def filled(database: Database, tables: Sequence[Table]) -> list[Table]:
    """The tables without those that certainly have no row.

    The views that the audit's rules share take too long to be computed for a list, and evidence too
    long to be read.
    """
    games = [registry.card(game) for game in database.games]
    unknown = {view for card in games for view in views.files(card)} | {"evidence"}
    return [
        table
        for table in tables
        if table.name in unknown
        or database.connection.execute(f"SELECT 1 FROM {quoted(table.name)} LIMIT 1").fetchall()
    ]


def named(database: Database, name: str) -> Table | None:
    """The table that a word names, also one of a game without a log; None if it is no name.

    Raises QueryError for what could be a name, but is none.
    """
    word = name.strip().removesuffix(";").strip().strip('"')
    if not re.fullmatch(r"\w+", word):
        return None
    for _ in range(2):
        known = {table.name.lower(): table for table in tables(database)}
        if word.lower() in known:
            return known[word.lower()]
        database.add(list(database.absent))
    hint = suggest(word, list(known)).strip()
    raise QueryError(
        f"there is no table and no path '{word}'. {hint or '`koth sql PATH` lists tables.'}"
    )


Told = tuple[str, Mapping[str, str]]
"""What is said of a table, and of its columns by their names."""


def _told() -> dict[str, Told]:
    """What is said of every table: by the event model behind it, or by the file that makes it."""
    common = _fields(common_models()) | GENERAL
    told: dict[str, Told] = {"events": (_EVENTS, common)}
    for path in (SQL / "tables").glob("*.sql"):
        sentence, columns = _head(path.read_text())
        told[path.stem] = sentence, common | columns
    for card in registry.cards()[0]:
        prefix = table_prefix(card.name)
        models = models_of(card)
        for model in models:
            told[f"{prefix}_{model.type}"] = model.description, GENERAL | _fields([model])
        fields = common | _fields(models) | GENERAL
        texts = {name: path.read_text() for name, path in views.files(card).items()}
        for name, text in texts.items():
            told[name] = _head(text)[0], fields | _columns(name, texts)
    return told


def _columns(name: str, views: Mapping[str, str]) -> dict[str, str]:
    """What is said of a view's columns, there or in the views that it is made from."""
    text = views[name]
    sources = [word for word in re.findall(r"\w+", text) if word in views and word != name]
    found: dict[str, str] = {}
    for source in dict.fromkeys(sources):
        found = _columns(source, views) | found
    return found | _head(text)[1]


def _fields(models: Sequence[Columns]) -> dict[str, str]:
    """What is said of the fields of events; of those that several have, by the first of them."""
    fields = [column for model in models for column in model.columns if column.description]
    return {field.name: field.description for field in reversed(fields)}


def _head(text: str) -> tuple[str, dict[str, str]]:
    """What the comment at the head of a file says: its first sentence, and a line for a column."""
    found = _HEAD.match(text)
    head = found[0] if found else ""
    about = " ".join(line.removeprefix("-- ") for line in _COLUMN.sub("", head).splitlines())
    sentence = _SENTENCE.match(about)
    return sentence[0] if sentence else about, dict(_COLUMN.findall(head))


def _prepare(database: Database, sql: str) -> None:
    """Make the tables of games without a log, compute views that rules share, and read the
    evidence, if a query names them.

    From then on only the logs' tables can be read, and one file in our own folder written.
    """
    words = sql.lower()
    listing = LISTING.search(words)
    added = [game for game in database.absent if listing or table_prefix(game) in words]
    database.add(added)
    [(locked,)] = database.connection.execute(
        "SELECT current_setting('lock_configuration')"
    ).fetchall()
    if not locked:
        files = [_parquet(database), evidence.spool(database), *database.files]
        allowed = ", ".join(literal(path) for path in files)
        database.connection.execute(f"SET allowed_paths = [{allowed}]")
        database.connection.execute("SET enable_external_access = false")
        database.connection.execute("SET lock_configuration = true")
    for game in (*database.games, *added):
        views.compute(database.connection, registry.card(game), words)
    if re.search(r"\bevidence\b", words):
        evidence.load(database)


def _answer(database: Database, sql: str, ask: Callable[[str], Found]) -> Found:
    """What DuckDB answers; if it misses a table, with those of all games."""
    try:
        return ask(sql)
    except duckdb.CatalogException:
        if not database.absent or len(duckdb.extract_statements(sql)) > 1:
            raise
        database.add(list(database.absent))
        return ask(sql)


def _parquet(database: Database) -> Path:
    return Path(database.folder.name) / "result.parquet"


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """``names`` with a number behind those that are there already."""
    found: list[str] = []
    for name in names:
        count = sum(other == name for other in found)
        found.append(name if not count else f"{name}_{count}")
    return tuple(found)


def _refused(database: Database, error: duckdb.Error) -> QueryError:
    """DuckDB's own words, which quote the place, with what was probably meant.

    DuckDB says that itself of tables, functions and columns, but not of columns behind a table's
    name. Where a table is missing: which games are broken, and have none. For a locked file: what
    the reason is.
    """
    told = str(error)
    if missing := _MISSING.search(told):
        rows = database.connection.execute("SELECT DISTINCT column_name FROM duckdb_columns()")
        told += f"\n{suggest(missing[1], [name for (name,) in rows.fetchall()]).strip()}"
    if isinstance(error, duckdb.CatalogException):
        told += "".join(f"\nA game without tables: {one}" for one in registry.cards()[1])
    if isinstance(error, duckdb.PermissionException) or "has been locked" in told:
        told += "\nQueries see the logs given on the command line only; they cannot touch files."
    return QueryError(f"the query was refused. {told}")
