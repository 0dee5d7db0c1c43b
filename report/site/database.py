"""The tables of ``koth sql`` as one DuckDB file for a browser, and a catalog of its contents.

DuckDB for browsers has no extension for JSON. So columns of that type are texts, and ``->>`` is a
macro (:mod:`report.site.json_macros`). Macros and the shared views of the audit are in the catalog
as SQL. It says which views each of them needs, so that the page computes each once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import duckdb

from audit import evidence, memory, query, views
from audit.errors import AuditError
from audit.loading.columns import literal, quoted
from audit.loading.models import SQL
from audit.query import Table
from audit.tables import Database
from report.site.json_macros import MACROS
from schema import registry
from schema.log_path import LogPath, path_text

STORAGE = "v1.2.0"
"""The storage version, which the DuckDB of the browser reads too."""

BLOCK_BYTES = 65_536
"""Bytes that a column takes at least; smaller ones keep DuckDB from compressing integers."""

ALIAS = "site"

JSON = re.compile(r"\bJSON\b")
NEEDS_JSON = re.compile(r"->[^>]|\b(?:json_\w+|to_json)\b")
"""Words of queries that need the extension."""

TEXT = " JSON, here as text: read it with ->> and a key or an index."
"""An addition to the description of a column."""

QUESTIONS = Path(__file__).parent / "questions.md"
SECTION = re.compile(r"^## (.+)\n", re.M)
QUESTION = re.compile(r"^([^\n`#<][^?\n]*\?)[^\n]*(?:\n[^\n]+)*\n\n```sql\n(.*?)^```$", re.M | re.S)


class ColumnEntry(TypedDict):
    """One column in the catalog."""

    name: str
    type: str
    description: str


class TableEntry(TypedDict):
    """One table or view in the catalog."""

    name: str
    description: str
    columns: list[ColumnEntry]


class ViewEntry(TypedDict):
    """One of the audit's shared views in the catalog."""

    sql: str
    """The statements that make it."""
    needs: list[str]
    """It and all views that it needs, in the order in which they are computed."""


class QuestionEntry(TypedDict):
    """One question in the catalog, with its query."""

    section: str
    question: str
    query: str


class Catalog(TypedDict):
    """The contents of a database."""

    logs: int
    setup: list[str]
    """Statements that make the macros."""
    tables: list[TableEntry]
    views: dict[str, ViewEntry]
    questions: list[QuestionEntry]


def write(database: Database, target: Path, published: Mapping[LogPath, str]) -> Catalog:
    """Write the tables to the new file ``target``, and return the catalog.

    ``published`` are the logs, with their paths on the site: the file tells no other paths.
    Equal tables give different bytes, because DuckDB's compression is not deterministic. Files
    without compression are equal, but four times as large.

    Raises AuditError if a table cannot be written.
    """
    evidence.load(database)
    replaced = {"path": path_on_site(database, published)}
    texts = _shared_views(database)
    needs = {view: views.needed(view, texts) for view in texts}
    made = [
        view
        for view, needed in needs.items()
        if not any(NEEDS_JSON.search(views.COMMENT.sub("", texts[name])) for name in needed)
    ]
    tables = [
        table for table in query.tables(database) if table.name in made or table.name not in texts
    ]
    connection = database.connection
    storage = f"STORAGE_VERSION {literal(STORAGE)}, BLOCK_SIZE {BLOCK_BYTES}"
    try:
        # A file whose checkpoint lacked memory cannot be continued.
        with memory.full_limit(connection):
            connection.execute(f"ATTACH {literal(target)} AS {ALIAS} ({storage})")
            for table in tables:
                if table.name not in texts:
                    memory.run(connection, _copy(table, replaced))
            connection.execute(f"DETACH {ALIAS}")
    except duckdb.Error as error:
        raise AuditError(f"{target}: the tables cannot be written: {error}") from error
    entries = [_entry(table) for table in tables]
    return Catalog(
        logs=database.logs,
        setup=[*_macros(), *MACROS],
        tables=entries,
        views={view: ViewEntry(sql=texts[view], needs=needs[view]) for view in made},
        questions=[*_questions(entries)],
    )


def _macros() -> Iterator[str]:
    """Yield the statements that make the audit's macros."""
    for path in sorted(SQL.glob("*.sql")):
        for statement in duckdb.extract_statements(path.read_text(encoding="utf-8")):
            if not NEEDS_JSON.search(statement.query):
                yield statement.query


def _shared_views(database: Database) -> dict[str, str]:
    """Return the SQL of all shared views by name, in the order of creation."""
    shared: dict[str, str] = {}
    for game in database.games:
        shared |= views.texts(registry.card(game))
    return shared


def path_on_site(database: Database, published: Mapping[LogPath, str]) -> str:
    """Return the SQL of the path on the site of the log whose path is in the column ``path``."""
    database.execute(
        "CREATE TEMP TABLE published AS SELECT unnest($here) AS here, unnest($there) AS there",
        {"here": [*map(path_text, published)], "there": [*published.values()]},
    )
    return "SELECT there FROM published WHERE here = path"


def _copy(table: Table, replaced: Mapping[str, str]) -> str:
    """Return the statement that copies a table; JSON becomes text.

    ``replaced`` has the SQL of columns with other values.
    """
    columns = ", ".join(
        f"({replaced.get(column.name, quoted(column.name))})"
        f"::{JSON.sub('VARCHAR', column.type)} AS {quoted(column.name)}"
        for column in table.columns
    )
    name = quoted(table.name)
    return f"CREATE TABLE {ALIAS}.{name} AS SELECT {columns} FROM main.{name}"


def _entry(table: Table) -> TableEntry:
    columns = [
        ColumnEntry(
            name=column.name,
            type=JSON.sub("VARCHAR", column.type),
            description=f"{column.description}{TEXT if JSON.search(column.type) else ''}",
        )
        for column in table.columns
    ]
    return TableEntry(name=table.name, description=table.description, columns=columns)


def _questions(tables: Sequence[TableEntry]) -> Iterator[QuestionEntry]:
    """Yield the questions of the documentation that these tables can answer."""
    known = {table["name"] for table in tables}
    games = (card.name for card in registry.cards()[0])
    absent = [game for game in games if not any(name.startswith(game) for name in known)]
    needs_absent = re.compile(rf"\b(?:{'|'.join(absent)})_" if absent else r"(?!)")
    sections = SECTION.split(QUESTIONS.read_text(encoding="utf-8"))
    for section, text in zip(sections[1::2], sections[2::2], strict=True):
        for question, words in QUESTION.findall(text):
            if not NEEDS_JSON.search(words) and not needs_absent.search(words):
                yield QuestionEntry(section=section, question=question, query=words)
