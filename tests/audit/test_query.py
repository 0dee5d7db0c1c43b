"""Queries: rows out, clear errors, and no way to a file."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as parquet  # type: ignore[import-untyped]
import pytest
from rich.cells import cell_len

from audit import memory
from audit.errors import QueryError
from audit.query import Result, non_empty, query, query_parquet, relation, table_named, tables
from audit.result_format import as_csv, as_json, as_markdown, as_table
from audit.tables import Database, open_database
from tests import factories
from tests.audit.doctored_logs import turn

RESULT = Result(
    ("name", "n", "list"),
    [("Anna|1", 12, [1, 2]), ("B\n\x1b[2J", None, {"a": None, "b": [True]}), ("C", 1.5, [])],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one log of Coup."""
    folder = tmp_path_factory.mktemp("logs")
    log = turn("Tp\n")
    factories.write(folder / "log.jsonl", log.events, log.seed)
    return folder


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Database]:
    """The log as tables."""
    with open_database([folder], current_only=True) as database:
        yield database


@pytest.fixture(scope="module")
def marked(folder: Path) -> Iterator[Database]:
    """The same, for queries that leave temporary tables, views and macros behind."""
    with open_database([folder], current_only=True) as database:
        yield database


def test_a_query_returns_columns_and_rows(database: Database) -> None:
    """Names and rows are as DuckDB has them; a name that is there twice gets a number."""
    found = query(database, "SELECT game, reason, 1 AS game FROM matches")
    assert found == Result(("game", "reason", "game_1"), [("coup", "drawn", 1)])


def test_the_shared_views_of_a_game_can_be_queried(database: Database) -> None:
    """Views that rules share are available to queries."""
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
def test_a_query_cannot_touch_files(
    database: Database, folder: Path, tmp_path: Path, sql: str
) -> None:
    """Reading or writing a file, or lifting the lock, is refused with one clear message."""
    file, log = tmp_path / "written", folder / "log.jsonl"
    text = sql.format(file=file, log=log)
    with pytest.raises(QueryError, match=r"^the query was refused"):
        query(database, text)
    with pytest.raises(QueryError, match=r"^the query was refused"):
        query_parquet(database, text)
    with pytest.raises(QueryError, match=r"^the query was refused"):
        query(database, f"SELECT count(*) FROM evidence; {text}")
    assert not file.exists()


@pytest.mark.parametrize("ask", [query, query_parquet])
def test_the_first_query_is_locked_already(
    ask: Callable[[Database, str], object], folder: Path
) -> None:
    """Nothing has to be asked before the lock holds, and no query changes a log."""
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with open_database([folder], current_only=True) as database:
        with pytest.raises(QueryError, match="cannot access files"):
            ask(database, f"COPY matches TO '{folder / 'written'}'")
        ask(database, "CREATE TEMP TABLE players AS SELECT 1; FROM matches")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE players",
        "SELECT 1; DELETE FROM players",
        "/* a */ INSERT INTO players FROM players; FROM players",
        "WITH one AS (SELECT 1) UPDATE players SET seat = 7",
        "TRUNCATE players",
        "ALTER TABLE players ADD COLUMN n INT",
        "CREATE TABLE one AS SELECT 1; FROM one",
        "CREATE OR REPLACE VIEW players AS SELECT 1; FROM players",
        "CREATE TEMP TABLE one AS SELECT 1",
        "CREATE SCHEMA temp; SELECT 1",
        "EXPLAIN ANALYZE DELETE FROM players",
        "EXPLAIN (ANALYZE, FORMAT json) DROP TABLE players",
        "EXPLAIN -- why\n ANALYZE /* not */ DROP TABLE players",
        "PREPARE one AS DELETE FROM players; EXECUTE one",
        "PRAGMA disable_optimizer",
        "SET threads = 1",
        "SET VARIABLE one = 1",
        "CALL pragma_version()",
        "BEGIN; FROM players",
        "USE temp",
        "DETACH memory",
        "COMMENT ON TABLE players IS 'mine'",
        "UPDATE EXTENSIONS",
        pytest.param(
            "EXPLAIN UPDATE EXTENSIONS (json)",
            marks=pytest.mark.skipif(
                duckdb.__version__ == "2.0.0", reason="no statement in this version of DuckDB"
            ),
        ),
        "MERGE INTO players USING players AS other ON true WHEN MATCHED THEN DELETE",
        "WITH one AS (UPDATE players SET seat = 7 RETURNING 1) FROM one",
        "WITH one AS MATERIALIZED (/* ( */ insert INTO players FROM players RETURNING 1) FROM one",
        "WITH one AS (WITH two AS (SELECT 1) DELETE FROM players RETURNING 1) FROM one",
        "WITH one AS (\u3000TRUNCATE\u00a0players) SELECT 1",
        "WITH one AS (COPY players TO 'rows.csv') SELECT 1",
        "WITH one AS (DELETE FROM players RETURNING *) PIVOT one ON seat",
        "EXPLAIN ANALYZE WITH one AS (DELETE FROM players RETURNING *) FROM one",
        "CREATE TEMP TABLE one AS WITH two AS (DELETE FROM players RETURNING *) FROM two; FROM one",
    ],
)
def test_a_statement_that_changes_anything_is_refused(database: Database, sql: str) -> None:
    """It is refused in a sentence before anything runs, wherever it is in the query."""
    before = query(database, "FROM players").rows
    for ask in (query, query_parquet):
        with pytest.raises(QueryError, match=r"is no query\. A query reads the given logs"):
            ask(database, sql)
    assert query(database, "FROM players").rows == before


@pytest.mark.parametrize(
    "sql",
    [
        """SELECT "update" FROM (SELECT 1 AS "update")""",
        "SELECT count(*) FILTER (ask IN ('update', 'delete')) FROM answers -- (update",
        "WITH one AS (SELECT 'a' AS insert) SELECT insert, ('(copy') FROM one",
        "EXPLAIN /* why */ FROM players",
    ],
)
def test_words_that_only_look_like_statements(database: Database, sql: str) -> None:
    """A name or a text may be a word that begins a statement elsewhere."""
    assert query(database, sql).rows


@pytest.mark.parametrize(
    "sql",
    [
        "FROM players;",
        "-- DROP TABLE players\nSELECT 'DROP TABLE players' AS drop",
        "WITH one AS (FROM players) FROM one",
        "DESCRIBE players",
        "SUMMARIZE players",
        "EXPLAIN ANALYZE SELECT 'é' FROM players",
        "EXPLAIN ANALYSE (SELECT 1)",
        "EXPLAIN /* as data */ (FORMAT json) (FROM players)",
        "EXPLAIN ANALYZE (FORMAT json) FROM players",
        "PIVOT players ON seat USING count(*)",
        "VALUES (1)",
        "CREATE TEMPORARY MACRO twice(n) AS 2 * n; SELECT twice(seat) FROM players",
        "CREATE OR REPLACE TEMP VIEW one AS FROM players; FROM one",
    ],
)
def test_a_statement_that_reads_is_taken(marked: Database, sql: str) -> None:
    """Everything that only reads is a query, and temporary helpers may come before it."""
    assert query(marked, sql).rows


def test_a_column_that_a_table_lacks(database: Database) -> None:
    """The message about a column that a table lacks suggests no column of another table."""
    with pytest.raises(QueryError, match='"won"') as refused:
        query(database, "SELECT players.winz FROM players")
    assert "Did you mean" not in str(refused.value)


def test_a_table_by_its_name(folder: Path) -> None:
    """One word is a table's name, of any game, in any case; or an error that names a near one."""
    with open_database([folder]) as database:
        for word in ("players", " PLAYERS ; ", '"players"', "coins_acted"):
            table = table_named(database, word)
            assert table is not None
            assert table.name == word.strip(' ;"').lower()
        assert table_named(database, "FROM players") is None
        with pytest.raises(
            QueryError, match=r"no table and no path with logs 'playrs'\. Did you mean 'players'"
        ):
            table_named(database, "playrs")


def test_the_list_has_what_there_is(folder: Path) -> None:
    """Tables of games without a log and tables without a row are left out of the list."""
    with open_database([folder]) as database:
        names = {table.name for table in non_empty(database, tables(database))}
        assert {"matches", "players", "coup_dealt", "coup_calls", "events"} <= names
        assert not {"faults", "standings", "unread", "coins_acted"} & names


def test_a_wrong_query_is_explained(database: Database) -> None:
    """DuckDB's message names the column that is not there."""
    with pytest.raises(QueryError, match="wonn"):
        query(database, "SELECT wonn FROM players")


def test_a_value_that_python_does_not_have(database: Database) -> None:
    """An interval of more than a billion days is an error; its text is shown."""
    days = "INTERVAL 4000000 YEARS"
    with pytest.raises(QueryError, match=r"^Python has no such value: .*\. Cast it to VARCHAR\."):
        query(database, f"SELECT {days}")
    assert query(database, f"SELECT ({days})::VARCHAR").rows == [("4000000 years",)]


@pytest.mark.parametrize(
    "sql",
    [
        "SHOW TABLES",
        "SELECT table_name FROM information_schema.tables",
        "SELECT view_name FROM duckdb_views()",
    ],
)
def test_the_tables_of_all_games_are_listed(folder: Path, sql: str) -> None:
    """Although those of games without a log are made only when a query may want them."""
    with open_database([folder]) as database:
        assert {"bank_heist", "coins", "smallest_unique"} <= set(database.pending)
        found = {name for (name, *_) in query(database, sql).rows}
        assert {"coins_acted", "smallest_unique_round", "bank_heist_moved"} <= found


@pytest.mark.parametrize("run", [query, query_parquet])
@pytest.mark.parametrize("sql", ["{}", "CREATE TEMP TABLE slow AS {}; FROM slow"])
def test_an_interrupt_ends_a_query(
    run: Callable[[Database, str], object], sql: str, database: Database
) -> None:
    """Ctrl-C ends statements that would run for hours, and the next query works."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    long = "range(100_000_000) AS a, range(100_000_000) AS b, range(100) AS c"
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            run(database, sql.format(f"SELECT c.range, count(*) FROM {long} GROUP BY c.range"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert query(database, "SELECT 7").rows == [(7,)]


class Late:
    """A connection whose statement begins after the first interrupt, and stops at the next."""

    def __init__(self) -> None:
        self.interrupts: list[None] = []
        self.stopped = threading.Event()

    def interrupt(self) -> None:
        """Stop the statement if it has begun."""
        if self.interrupts:
            self.stopped.set()
        self.interrupts.append(None)

    def run(self) -> bool:
        """Interrupt the waiting main thread; return whether the statement was stopped."""
        main = threading.main_thread().ident or 0
        while getattr(sys._current_frames()[main].f_back, "f_code", None) != Future.result.__code__:
            time.sleep(0.001)
        time.sleep(0.05)  # a signal just before the wait does not end it
        os.kill(os.getpid(), signal.SIGALRM)
        return self.stopped.wait(10)


def test_an_interrupt_ends_a_statement_that_begins_after_it() -> None:
    """DuckDB ignores an interrupt between two statements, so it comes again."""
    connection: Any = Late()
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            memory.interruptible(connection, connection.run)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert connection.stopped.is_set()


def test_a_table_of_a_game_without_a_log(folder: Path) -> None:
    """It is made when a query names it, and no other game's is; a wrong name makes all of them."""
    with open_database([folder]) as database:
        assert query(database, 'SELECT count(*) FROM "COINS_acted"').rows == [(0,)]
        assert database.pending == ["bank_heist", "smallest_unique"]
        with pytest.raises(QueryError, match="smallest_unique_round"):
            query(database, "FROM smallest_uniqe_round")
        assert database.pending == []


def test_the_variables_of_the_program_are_no_tables(database: Database) -> None:
    """A name that a Python variable bears is not taken for a table."""
    with pytest.raises(QueryError, match="Table with name RESULT"):
        query(database, "FROM RESULT")


def test_parquet(database: Database, tmp_path: Path) -> None:
    """The rows of the last statement come back from its Parquet file, its names each once."""
    found = loaded(
        tmp_path,
        query_parquet(database, "CREATE TEMP TABLE one AS SELECT 7 AS n; FROM one -- all\n;"),
    )
    assert found == [(7,)]
    data = query_parquet(database, "SELECT 1 AS a, 2 AS a, 3 AS a_1, [4] AS list")
    assert loaded(tmp_path, data) == [(1, 2, 3, [4])]
    read = parquet.read_table(tmp_path / "rows.parquet")
    assert read.to_pylist() == [{"a": 1, "a_1": 2, "a_1_1": 3, "list": [4]}]
    with pytest.raises(QueryError, match="there is no query"):
        query_parquet(database, "-- nothing")


VALUES = """
    SELECT
        1::TINYINT AS tiny, -9223372036854775808 AS low, true AS yes, 1.5::DOUBLE AS x,
        'é|"' AS text,
        99999999999999999999999999999999999999::HUGEINT AS huge, 7::UHUGEINT AS uhuge,
        [1, NULL, 3] AS list, []::BIGINT[] AS empty, [[1::HUGEINT], NULL] AS nested,
        {a: 1::HUGEINT, b: ['x'], "c d": {e: NULL::BIGINT}} AS struct,
        [{seat: 0, kind: 'crash'}] AS structs, MAP {'a': 1, 'b': NULL} AS map,
        '{"a":[1]}'::JSON AS json, '\\x00\\xFF'::BLOB AS blob, DATE '2026-01-31' AS day,
        TIMESTAMP '2026-01-31 12:00:00.25' AS moment, 1.25::DECIMAL(9, 2) AS price,
        'b'::ENUM ('a', 'b') AS enum, NULL AS nothing
"""
"""A value of every type that a query is likely to give."""


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 7 AS n; -- all",
        "SELECT 7 AS n /* one */ ; /* two */ ; -- three",
        "SELECT 7 AS n -- all",
        "SELECT 7 AS n;\u00a0\n",
        "CREATE OR REPLACE TEMP MACRO seven() AS 7; SELECT seven() AS n;-- é",
    ],
)
def test_a_comment_at_the_end_of_a_query(marked: Database, sql: str) -> None:
    """A query may end in a comment, also after its semicolon, in every format."""
    assert query(marked, sql).rows == [(7,)]
    assert relation(marked, sql).fetchall() == [(7,)]
    assert query_parquet(marked, sql)


def test_parquet_keeps_every_type(database: Database, tmp_path: Path) -> None:
    """Lists, structs and maps come back as they are, and integers of 128 bits exactly."""
    [row] = query(database, VALUES).rows
    assert loaded(tmp_path, query_parquet(database, VALUES)) == [row]
    [other] = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    # What Arrow has another form for: a map is a list of pairs.
    other["map"] = dict(other["map"])
    assert tuple(other.values()) == row


def test_every_table_goes_into_parquet(database: Database, tmp_path: Path) -> None:
    """Another engine reads every exported column with the same values."""
    for table in tables(database):
        found = query(database, f"FROM {table.name} ORDER BY ALL")
        data = query_parquet(database, f"FROM {table.name} ORDER BY ALL")
        assert loaded(tmp_path, data) == found.rows, table.name
        read = parquet.read_table(tmp_path / "rows.parquet")
        assert tuple(read.column_names) == found.columns
        assert read.num_rows == len(found.rows)


def test_what_does_not_fit_into_parquet(database: Database) -> None:
    """An integer of more than 38 digits is refused, not rounded."""
    with pytest.raises(QueryError, match="DECIMAL"):
        query_parquet(database, "SELECT 170141183460469231731687303715884105727::HUGEINT AS n")


def loaded(folder: Path, data: bytes) -> list[tuple[object, ...]]:
    """The rows of a Parquet file, as another DuckDB reads them."""
    path = folder / "rows.parquet"
    path.write_bytes(data)
    with duckdb.connect() as other:
        return other.execute("FROM read_parquet(?)", [str(path)]).fetchall()


def test_wide_characters_are_aligned() -> None:
    """A cell takes the columns of its characters in a terminal, which may be two or none."""
    rows = [("漢字🦊", "a"), ("Ünï", "b"), ("e\u0301", "c"), ("abcdefg", "d")]
    table = as_table(Result(("name", "x"), rows)).splitlines()
    assert table[1:4] == ["-------  -", "漢字🦊   a", "Ünï      b"]
    assert {cell_len(line) for line in table} == {10}


def test_an_aligned_table() -> None:
    """Each cell is printed on one line, aligned, without control characters."""
    assert as_table(RESULT) == (
        "name          n  list\n"
        "----------  ---  ------------------------\n"
        "Anna|1       12  [1, 2]\n"
        'B\\n\\x1b[2J       {"a": null, "b": [true]}\n'
        "C           1.5  []\n"
    )
    assert as_table(Result(("n",), [(7,), (12,)])) == " n\n--\n 7\n12\n"
    assert as_table(Result(("n",), [])) == "n\n-\n"


def test_names_of_columns_have_one_line() -> None:
    """A query may name a column as it likes; the head of a table shows it escaped, as a value."""
    result = Result(("a\n-\x1b[2J|",), [(1,)])
    assert as_table(result).splitlines() == ["a\\n-\\x1b[2J|", "-" * 12, f"{1:12}"]
    assert as_markdown(result) == "| a\\n-\\x1b[2J\\| |\n|---|\n| 1 |\n"


@pytest.mark.parametrize("names", [("a", "a", "a"), ("a", "a_1", "a", "a"), ("a", "a", "a_1", "A")])
def test_equal_names_of_columns_lose_no_value(
    names: tuple[str, ...], database: Database, tmp_path: Path
) -> None:
    """Repeated names have numbers that make no earlier name, in JSON and in Parquet."""
    sql = "SELECT " + ", ".join(f'{number} AS "{name}"' for number, name in enumerate(names))
    [row] = json.loads(as_json(query(database, sql)))["rows"]
    assert [*row.values()] == [*range(len(names))]
    path = tmp_path / "rows.parquet"
    path.write_bytes(query_parquet(database, sql))
    assert duckdb.read_parquet(str(path)).fetchall() == [tuple(range(len(names)))]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2 / 3, "0.6667"),
        (2.0, "2.0"),
        (12.345678, "12.3457"),
        (1234.5678, "1234.57"),
        (1234567.891234, "1234568"),
        (0.00001234567, "1.235e-05"),
        (-123456789012345.0, "-123456789012345"),
        (1e23, "1e+23"),
        (-0.5, "-0.5"),
        (0.0, "0.0"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_are_rounded_for_people(value: float, shown: str) -> None:
    """Tables round; CSV and JSON keep every digit."""
    result = Result(("n",), [(value,)])
    assert as_table(result).split()[-1] == shown
    assert f"| {shown} |" in as_markdown(result)
    assert as_csv(result) == f"n\n{value}\n"
    if math.isfinite(value):
        assert json.loads(as_json(result))["rows"] == [{"n": value}]


def test_csv_ends_lines_in_lf() -> None:
    """CSV quotes what needs it, leaves NULL empty, and ends every line in LF."""
    assert as_csv(RESULT) == (
        'name,n,list\nAnna|1,12,"[1, 2]"\n"B\n\x1b[2J",,"{""a"": null, ""b"": [true]}"\nC,1.5,[]\n'
    )


@pytest.mark.parametrize("text", ["\r", "T\r", "a\r\nb", "a\nb", '"', ",", "", " "])
def test_csv_reads_back(text: str) -> None:
    """A reader of CSV gets every text back, also one with a bare carriage return."""
    rows = as_csv(Result(("a", "b"), [(text, "1"), ("2", text)]))
    assert [*csv.reader(io.StringIO(rows, newline=""))] == [["a", "b"], [text, "1"], ["2", text]]


def test_json_carries_its_version() -> None:
    """JSON has the format, the columns and one object per row; large integers stay exact."""
    found = as_json(Result(("n", "x"), [(2**100, float("nan"))]))
    assert found == (
        '{"format":"koth-sql/1","columns":["n", "x"],"rows":[\n'
        '{"n": 1267650600228229401496703205376, "x": null}\n]}\n'
    )


def test_markdown() -> None:
    """A Markdown table escapes the bar, and a backslash before it, which would undo that."""
    assert as_markdown(RESULT).splitlines()[:3] == [
        "| name | n | list |",
        "|---|---|---|",
        "| Anna\\|1 | 12 | [1, 2] |",
    ]
    assert as_markdown(Result(("a",), [("b\\|c\\d",)])).splitlines()[2] == r"| b\\\|c\d |"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("<img src=x onerror=alert(1)>", r"\<img src=x onerror=alert(1)>"),
        ("&#x202e; &lt;", r"\&#x202e; \&lt;"),
        ("[verified](http://evil.example)", r"[verified\](http://evil.example)"),
        ("![seen](http://evil.example/x.png)", r"![seen\](http://evil.example/x.png)"),
        ("**won** `0 faults`", r"\*\*won\*\* \`0 faults\`"),
        (r"\<b>", r"\\\<b>"),
    ],
)
def test_a_text_brings_no_markup_into_markdown(text: str, cell: str) -> None:
    """Tags, entities, links, code and emphasis in the text of a bot are read as that text."""
    assert as_markdown(Result(("a",), [(text,)])).splitlines()[2] == f"| {cell} |"


@pytest.mark.parametrize("ask", [query, query_parquet])
def test_no_query(ask: Callable[[Database, str], object], database: Database) -> None:
    """Nothing, or a comment alone, is no query, and an error says so."""
    for sql in ("", " ; ", "-- nothing"):
        with pytest.raises(QueryError, match="there is no query"):
            ask(database, sql)


def test_an_error_of_duckdb_itself(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its message has no stack trace of DuckDB's own code."""

    def fail(sql: str) -> None:
        raise duckdb.InternalException("INTERNAL Error: not here!\n\nStack Trace:\n\n_duckdb.so")

    monkeypatch.setattr("audit.statements.check", fail)
    with pytest.raises(QueryError) as error:
        query(database, "FROM players")
    told = "INTERNAL Error: not here! This is a fault of DuckDB; write the query in another way."
    assert str(error.value) == f"the query was refused. {told}"


def test_a_query_without_rows(database: Database) -> None:
    """A query that finds nothing gives no rows, in every format."""
    found = query(database, "FROM players WHERE false")
    assert list(found.rows) == []
    assert as_csv(found) is not None
    assert io.StringIO(as_table(found)).read() is not None
