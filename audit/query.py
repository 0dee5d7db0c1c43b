"""Run queries, and describe the tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from glob import escape
from itertools import chain, count, groupby
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

import duckdb

from audit import evidence, memory, statements, views
from audit.errors import QueryError
from audit.loading.columns import Column, Columns, literal, quoted
from audit.loading.models import SQL, common_models, models_of
from audit.tables import Database
from schema import registry
from schema.words import suggest

GENERAL = {
    "log": "The number of the log.",
    "match": "The match's id, {attempt}-{number}.",
    "game": "The game, as `koth games` lists it.",
    "seq": "The event's number in its log; the event is in line seq + 1.",
    "type": "The event's type.",
    "event": "The event as JSON.",
    "seat": "A player's seat, from 0.",
}
"""Default descriptions of columns, by name."""

LISTING = re.compile(r"\b(show|describe|pragma|information_schema|sqlite_\w+|duckdb_\w+|pg_\w+)\b")
"""Words of queries that list the tables."""

_EVENTS = "Every event of every log, as JSON."
_HEAD = re.compile(r"(?:--.*\n)+")
_COLUMN = re.compile(r"^--   (\w+): (.+)\n", re.M)
_SENTENCE = re.compile(r".+?\.(?= |$)")

Answer = TypeVar("Answer")

EXACT = "DECIMAL(38,0)"
"""The type in Parquet files for integers of 128 bits, such as sums."""


SORTED = "sorted_rows"
"""The name of a temporary table, which is sorted part by part."""

GROUP = 20_480
"""Rows of a row group of its Parquet file, which is in memory as a whole."""


@dataclass(frozen=True)
class Result:
    """The result of a query."""

    columns: tuple[str, ...]
    """Unique column names."""
    rows: Sequence[tuple[object, ...]]


@dataclass(frozen=True)
class Table:
    """One table or view."""

    name: str
    description: str
    columns: tuple[Column, ...]


def query(database: Database, sql: str) -> Result:
    """Return the rows of one query, or of the last of several statements.

    After the first query, the database can neither access files nor change its configuration.
    Raises QueryError if a statement does more than read, if DuckDB refuses it, or if Python has no
    such value.
    """
    try:
        statements.check(sql)
        _prepare(database, sql)
        return memory.interruptible(database, lambda: _result(database, sql))
    except duckdb.Error as error:
        raise _refused(error) from error
    except OverflowError as error:  # such as an interval of more than a billion days
        raise QueryError(f"Python has no such value: {error}. Cast it to VARCHAR.") from error


def _result(database: Database, sql: str) -> Result:
    cursor = _answer(database, sql, database.connection.execute)
    names = _distinct([column[0] for column in cursor.description or ()])
    return Result(names, cursor.fetchall())


def relation(database: Database, sql: str) -> duckdb.DuckDBPyRelation:
    """Return one query, or the last of several statements, as a relation that DuckDB can run.

    It is valid until the database is closed. Raises QueryError like :func:`query`; an error in a
    value, which DuckDB finds when it runs the query, is a duckdb.Error.
    """
    try:
        statements.check(sql)
        _prepare(database, sql)
        last = statements.without_end(sql)  # DuckDB puts the text of a relation in parentheses
        rows = memory.interruptible(
            database, lambda: _answer(database, last, database.connection.sql)
        )
    except duckdb.Error as error:
        raise _refused(error) from error
    assert rows is not None  # the last statement is a query
    return rows


def query_parquet(database: Database, sql: str) -> bytes:
    """Return the rows of one query, or of the last of several statements, as a Parquet file.

    Integers of 128 bits become decimals without a fraction. Raises QueryError like :func:`query`.
    """
    path = _parquet(database)
    rows = relation(database, sql)
    try:
        names = _distinct(rows.columns)
        casts = [
            f"#{number}::{_exact(str(type))} AS {quoted(name)}"
            for number, (name, type) in enumerate(zip(names, rows.types, strict=True), start=1)
        ]
        selected = rows.project(", ".join(casts))
        memory.interruptible(
            database, lambda: selected.write_parquet(str(path), compression="zstd")
        )
        return path.read_bytes()
    except duckdb.Error as error:
        raise _refused(error) from error
    finally:
        path.unlink(missing_ok=True)  # DuckDB replaces an existing file by way of another path


def _exact(type: str) -> str:
    """Return a column type in Parquet files."""
    return re.sub("U?HUGEINT", EXACT, type)


def write_parquet(
    database: Database,
    table: Table,
    path: Path,
    order: Sequence[str],
    replaced: Mapping[str, str],
) -> None:
    """Write a table as a Parquet file, sorted by the columns ``order``, or by all if it is empty.

    ``replaced`` has the SQL of columns with other values. A database on disk is sorted part by part
    if ``order`` begins with ``log``, which takes little memory. Raises QueryError.
    """
    columns = ", ".join(
        f"({replaced.get(column.name, quoted(column.name))})::{_exact(column.type)} "
        f"AS {quoted(column.name)}"
        for column in table.columns
    )
    if table.name == "evidence":
        evidence.load(database)
    parts = database.parts if order[:1] == ["log"] else ()
    rows = f"SELECT {columns} FROM {quoted(table.name)}"
    sorting = f"ORDER BY {', '.join(map(quoted, order)) or 'ALL'}"
    try:
        memory.run(database, f"CREATE TEMP TABLE {SORTED} AS {rows} LIMIT 0")
        for where in views.conditions(parts):
            memory.run(database, f"INSERT INTO {SORTED} {rows} WHERE {where} {sorting}")
        file = f"{literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {GROUP})"
        memory.run(database, f"COPY {SORTED} TO {file}")
    except duckdb.Error as error:
        raise _refused(error) from error
    finally:
        database.execute(f"DROP TABLE IF EXISTS temp.{SORTED}")


def tables(database: Database) -> list[Table]:
    """Return every table and view of the database with its columns."""
    database.make_views()
    rows = database.rows(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal "
        "ORDER BY table_name, column_index"
    )
    descriptions = _descriptions()
    described = []
    for name, group in groupby(rows, key=itemgetter(0)):
        sentence, about = descriptions.get(name, ("", {}))
        columns = (Column(column, type, about.get(column, "")) for _, column, type in group)
        described.append(Table(name, sentence, tuple(columns)))
    return described


def non_empty(database: Database, tables: Sequence[Table]) -> list[Table]:
    """Return the tables that have a row, or may have one.

    Views of the audit's rules and evidence are always returned: to check them takes too long.
    """
    games = [registry.card(game) for game in database.games]
    unknown = {view for card in games for view in views.files(card)} | {"evidence"}
    return [
        table
        for table in tables
        if table.name in unknown or database.rows(f"SELECT 1 FROM {quoted(table.name)} LIMIT 1")
    ]


def table_named(database: Database, name: str) -> Table | None:
    """Return the table called ``name``, also of a game without a log; None if it is not a word.

    Raises QueryError if it is a word but no table has this name.
    """
    word = name.strip().removesuffix(";").strip().strip('"')
    if not re.fullmatch(r"\w+", word):
        return None
    for _ in range(2):
        known = {table.name.lower(): table for table in tables(database)}
        if word.lower() in known:
            return known[word.lower()]
        database.make_all()
    hint = suggest(word, list(known)).strip() or "`koth sql PATH` lists tables."
    raise QueryError(f"there is no table and no path with logs '{word}'. {hint}")


def _descriptions() -> dict[str, tuple[str, Mapping[str, str]]]:
    """Return a sentence about each table, and the descriptions of its columns by name.

    They come from the table's event model, or from the file that makes it.
    """
    common = _fields(common_models()) | GENERAL
    descriptions: dict[str, tuple[str, Mapping[str, str]]] = {"events": (_EVENTS, common)}
    for path in (SQL / "tables").glob("*.sql"):
        sentence, columns = _head(path.read_text(encoding="utf-8"))
        descriptions[path.stem] = sentence, common | columns
    for card in registry.cards()[0]:
        models = models_of(card)
        for model in models:
            name = f"{card.name}_{model.type}"
            descriptions[name] = model.description, GENERAL | _fields([model])
        fields = common | _fields(models) | GENERAL
        texts = views.texts(card)
        for name, columns in _view_columns(texts).items():
            descriptions[name] = _head(texts[name])[0], fields | columns
    return descriptions


def _view_columns(texts: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the descriptions of the columns of views, from their files or those of their sources.

    ``texts`` has the files by view name, each after its sources.
    """
    described: dict[str, dict[str, str]] = {}
    for name, text in texts.items():
        sources = dict.fromkeys(word for word in re.findall(r"\w+", text) if word in described)
        columns: dict[str, str] = {}
        for source in sources:
            columns = described[source] | columns
        described[name] = columns | _head(text)[1]
    return described


def _fields(models: Sequence[Columns]) -> dict[str, str]:
    """Return the descriptions of event fields by name; the first model wins."""
    fields = [column for model in models for column in model.columns if column.description]
    return {field.name: field.description for field in reversed(fields)}


def _head(text: str) -> tuple[str, dict[str, str]]:
    """Return the first sentence of a file's head comment, and its descriptions of columns."""
    comment = _HEAD.match(text)
    head = comment[0] if comment else ""
    about = " ".join(line.removeprefix("-- ") for line in _COLUMN.sub("", head).splitlines())
    sentence = _SENTENCE.match(about)
    return sentence[0] if sentence else about, dict(_COLUMN.findall(head))


def _prepare(database: Database, sql: str) -> None:
    """Make the tables, the shared views and the evidence that a query names.

    Also lock the database: it can then read only its own files, and write one result file.
    """
    words = sql.lower()
    listing = LISTING.search(words)
    database.make_tables([game for game in database.pending if game in words])
    if listing:
        database.make_all()
    database.make_named(words)
    connection = database.connection
    [(locked,)] = connection.execute("SELECT current_setting('lock_configuration')").fetchall()
    if not locked:
        files = [_parquet(database), evidence.staging_file(database), *database.files]
        paths = [name for path in map(str, files) for name in (path, escape(path))]  # as read
        allowed = ", ".join(map(literal, paths))
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    for game in database.view_games:
        views.compute(database, registry.card(game), words, database.parts)
    if re.search(r"\bevidence\b", words):
        evidence.load(database)


def _answer(database: Database, sql: str, run: Callable[[str], Answer]) -> Answer:
    """Run a query; if a table is missing, make all tables and views and run it again."""
    try:
        return run(sql)
    except duckdb.CatalogException:
        if len(duckdb.extract_statements(sql)) > 1:
            raise
        database.make_all()
        return run(sql)


def _parquet(database: Database) -> Path:
    return Path(database.folder.name) / "result.parquet"


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with a number after each that an earlier column has."""
    distinct: dict[str, None] = {}
    for name in names:
        numbered = (f"{name}_{number}" for number in count(1))
        distinct[next(other for other in chain([name], numbered) if other not in distinct)] = None
    return tuple(distinct)


def _refused(error: duckdb.Error) -> QueryError:
    """Return DuckDB's message, which quotes the query, with a hint.

    DuckDB itself suggests tables, functions and columns. For a missing table, the hint names the
    games that failed to load; for a file, the restriction.
    """
    memory.raise_shortage(error)
    message = memory.message_of(error)
    if isinstance(error, duckdb.CatalogException):
        message += "".join(f"\nA game without tables: {reason}" for reason in registry.cards()[1])
    if isinstance(error, duckdb.PermissionException) or "has been locked" in message:
        message += "\nA query reads only the given logs; it cannot access files."
    return QueryError(f"the query was refused. {message}")
