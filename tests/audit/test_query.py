"""Queries: rows out, clear errors, and no way to a file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from audit.errors import QueryError
from audit.query import Result, query, query_parquet, tables
from audit.rows import as_csv, as_json, as_markdown, as_table, list_tables
from audit.tables import Database, open_database
from tests import making
from tests.audit.doctoring import turn

RESULT = Result(
    ("name", "n", "list"),
    [("Anna|1", 12, [1, 2]), ("B\n\x1b[2J", None, {"a": None, "b": [True]}), ("C", 1.5, [])],
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """One log of Coup as tables."""
    log = turn("Tp\n")
    making.write(tmp_path / "log.jsonl", log.events, log.seed)
    with open_database([tmp_path]) as database:
        yield database


def test_a_query_returns_columns_and_rows(database: Database) -> None:
    """Names and rows are as DuckDB has them; a name that is there twice gets a number."""
    found = query(database, "SELECT game, reason, 1 AS game FROM matches")
    assert found == Result(("game", "reason", "game_1"), [("coup", "drawn", 1)])


def test_the_shared_views_of_a_game_can_be_queried(database: Database) -> None:
    """What the rules build upon is there for queries too."""
    found = query(database, "SELECT line, appended FROM coup_calls ORDER BY call DESC LIMIT 1")
    assert found.rows == [("Tp", "\n")]


@pytest.mark.parametrize(
    "sql",
    [
        "COPY matches TO '{file}'",
        "COPY matches TO '{file}' (FORMAT parquet)",
        "FROM read_text('{log}')",
        "FROM '{log}'",
        "ATTACH '{file}'",
        "SET enable_external_access = true",
        "EXPORT DATABASE '{file}'",
        "INSTALL httpfs",
    ],
)
def test_a_query_cannot_touch_files(database: Database, tmp_path: Path, sql: str) -> None:
    """Reading or writing a file, or lifting the lock, is refused with one clear message."""
    file, log = tmp_path / "written", tmp_path / "log.jsonl"
    text = sql.format(file=file, log=log)
    with pytest.raises(QueryError, match=r"^the query was refused"):
        query(database, text)
    with pytest.raises(QueryError, match=r"^the query was refused"):
        query_parquet(database, text)
    assert not file.exists()


def test_a_wrong_query_is_explained(database: Database) -> None:
    """DuckDB's message names the column that is not there."""
    with pytest.raises(QueryError, match="wonn"):
        query(database, "SELECT wonn FROM players")


def test_the_variables_of_the_program_are_no_tables(database: Database) -> None:
    """A name that a Python variable bears is not taken for a table."""
    with pytest.raises(QueryError, match="Table with name RESULT"):
        query(database, "FROM RESULT")


def test_parquet(database: Database, tmp_path: Path) -> None:
    """The rows of a query come back from its Parquet file."""
    data = query_parquet(database, "CREATE TABLE t AS SELECT 7 AS n; SELECT n FROM t -- all\n;")
    path = tmp_path / "rows.parquet"
    path.write_bytes(data)
    with duckdb.connect() as other:
        assert other.execute("FROM read_parquet(?)", [str(path)]).fetchall() == [(7,)]
    with pytest.raises(QueryError, match="there is no query"):
        query_parquet(database, "-- nothing")


def test_every_table_is_described(database: Database) -> None:
    """The list of tables has every table that there is, each with a description."""
    found = {table.name: table for table in tables(database)}
    assert {"logs", "unread", "matches", "players", "events", "coup_dealt", "coup_calls"} <= set(
        found
    )
    assert [name for name, table in found.items() if not table.description] == []
    assert found["coup_dealt"].description == (
        "The deck was shuffled and both hands were dealt (CP-1)."
    )
    assert found["coup_dealt"].columns[-1].description == "What is left, the next card first."
    assert "coup_dealt: The deck was shuffled" in list_tables(list(found.values()))


def test_an_aligned_table() -> None:
    """Cells stand on one line each, aligned, without what a terminal would act on."""
    assert as_table(RESULT) == (
        "name          n  list\n"
        "----------  ---  ------------------------\n"
        "Anna|1       12  [1, 2]\n"
        'B\\n\\x1b[2J       {"a": null, "b": [true]}\n'
        "C           1.5  []\n"
    )
    assert as_table(Result(("n",), [(7,), (12,)])) == " n\n--\n 7\n12\n"
    assert as_table(Result(("n",), [])) == "n\n-\n"


def test_csv_ends_lines_in_lf() -> None:
    """CSV quotes what needs it, leaves NULL empty, and ends every line in LF."""
    assert as_csv(RESULT) == (
        'name,n,list\nAnna|1,12,"[1, 2]"\n"B\n\x1b[2J",,"{""a"": null, ""b"": [true]}"\nC,1.5,[]\n'
    )


def test_json_carries_its_version() -> None:
    """JSON has the format, the columns and one object a row; large integers stay exact."""
    found = as_json(Result(("n", "x"), [(2**100, float("nan"))]))
    assert found == (
        '{"format":"koth-sql/1","columns":["n", "x"],"rows":[\n'
        '{"n": 1267650600228229401496703205376, "x": null}\n]}\n'
    )


def test_markdown() -> None:
    """A Markdown table escapes the bar."""
    assert as_markdown(RESULT).splitlines()[:3] == [
        "| name | n | list |",
        "|---|---|---|",
        "| Anna\\|1 | 12 | [1, 2] |",
    ]


def test_a_query_without_rows(database: Database) -> None:
    """A statement that returns nothing gives no rows, in every format."""
    found = query(database, "CREATE TABLE t (n INT)")
    assert list(found.rows) == []
    assert as_csv(found) is not None
    assert io.StringIO(as_table(found)).read() is not None
