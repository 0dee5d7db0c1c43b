"""``koth sql``: what it writes where, and that it changes nothing."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import duckdb
import pytest

from audit import tables
from tests.factories import write
from tests.koth.commands import Koth
from tests.replay.log_factory import SHORT, hex_seed, short

QUESTION = "SELECT seat, name, [seat] AS list FROM players ORDER BY seat"


def as_table(text: str) -> list[int]:
    """The seats in an aligned table."""
    return [int(line.split()[0]) for line in text.splitlines()[2:]]


def as_csv(text: str) -> list[int]:
    """The seats in CSV, whose lines end in LF."""
    assert "\r" not in text
    return [int(row["seat"]) for row in csv.DictReader(text.splitlines())]


def as_json(text: str) -> list[int]:
    """The seats in JSON."""
    return [row["seat"] for row in json.loads(text)["rows"]]


def as_markdown(text: str) -> list[int]:
    """The seats in a Markdown table."""
    return [int(line.split("|")[1]) for line in text.splitlines()[2:]]


READERS = {"table": as_table, "csv": as_csv, "json": as_json, "markdown": as_markdown}


@pytest.fixture(autouse=True)
def _only_coup(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spares each command the tables of games that it has no log of."""
    only = partial(tables.open_database, current_only=True)
    monkeypatch.setattr(tables, "open_database", only)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tables.Database]:
    """The tables of a log that many commands ask."""
    log = write(tmp_path_factory.mktemp("sql") / "log.jsonl", short(), hex_seed(SHORT))
    with tables.open_database([log], current_only=True) as database:
        yield database


@pytest.fixture
def once(opened: tables.Database, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of that log, which no command opens again."""
    monkeypatch.setattr(tables, "open_database", lambda paths: nullcontext(opened))
    [log] = opened.log_paths
    return Path(str(log))


each_format = pytest.mark.parametrize("format", READERS)


@each_format
def test_rows_go_to_standard_output_or_to_a_file(
    format: str, koth: Koth, once: Path, tmp_path: Path
) -> None:
    """In every format both hold the same bytes, and the same rows."""
    file = tmp_path / "rows"
    printed = koth("sql", once, QUESTION, "--format", format)
    written = koth("sql", once, QUESTION, "--format", format, "-o", file)
    assert (printed.code, written.code, written.out) == (0, 0, "")
    assert file.read_bytes() == printed.out.encode()
    assert READERS[format](printed.out) == [0, 1]


def test_parquet_goes_to_a_pipe_or_to_a_file(koth: Koth, log: Path, tmp_path: Path) -> None:
    """Either is a Parquet file with the rows of the query."""
    file, piped = tmp_path / "rows.parquet", tmp_path / "piped.parquet"
    assert koth("sql", log, QUESTION, "--format", "parquet", "-o", file).code == 0
    command = f"{sys.executable} -m koth sql {log} '{QUESTION}' --format parquet > {piped}"
    assert os.system(command) == 0
    for path in (file, piped):
        with duckdb.connect() as other:
            rows = other.execute("SELECT seat, list FROM read_parquet(?)", [str(path)]).fetchall()
        assert rows == [(0, [0]), (1, [1])]


def test_parquet_is_no_text(koth: Koth, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not sent to a terminal, and there is none of the list of tables."""
    assert "query" in koth.complaint("sql", log, "--format", "parquet")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert "-o FILE" in koth.complaint("sql", log, QUESTION, "--format", "parquet")


def test_a_file_is_never_written_over(koth: Koth, log: Path) -> None:
    """An existing file is never overwritten, least of all a log."""
    before = log.read_bytes()
    assert "expected a new file" in koth.complaint("sql", log, QUESTION, "-o", log)
    assert log.read_bytes() == before


@each_format
def test_the_list_of_tables(format: str, koth: Koth, once: Path) -> None:
    """Without a query tables are listed: by a sentence for people, by columns for programs."""
    listed = koth("sql", once, "--format", format)
    assert listed.code == 0
    for part in ("evidence", "coup_calls", "coup_dealt"):
        assert part in listed.out
    assert ("slowest_ms" in listed.out) == (format != "table")
    assert format != "table" or len(listed.out.splitlines()) < 30


@each_format
def test_a_table_is_a_query(format: str, koth: Koth, once: Path) -> None:
    """A table's name alone shows its columns and three rows; programs get all its rows."""
    shown = koth("sql", once, "answers", "--format", format)
    rows = koth("sql", once, "FROM answers", "--format", format)
    assert shown.code == rows.code == 0
    if format == "table":
        assert "The answers of bots" in shown.out
        first = rows.out.splitlines()[:5]
        assert shown.out.splitlines()[-5:] == first
    else:
        assert shown.out == rows.out


@pytest.mark.parametrize("query", ["-- all\nFROM players", "--all = 1\nFROM players"])
def test_a_query_may_begin_with_a_comment(query: str, koth: Koth, log: Path) -> None:
    """A query from a file, as `"$(cat query.sql)"` gives it, is no option."""
    expected = koth("sql", log, "FROM players", "--format=csv")
    assert koth("sql", log, query, "--format=csv") == expected
    assert expected.code == 0


def test_a_statement_that_changes_anything_is_wrong_usage(koth: Koth, log: Path) -> None:
    """The command says so in a sentence, with exit code 2."""
    for query in ("DROP TABLE matches", "DELETE FROM players", "ATTACH 'other.db'"):
        assert "A query reads the given logs" in koth.complaint("sql", log, query)


@pytest.mark.parametrize(
    "query",
    [
        "FROM players",
        "DELETE FROM players; DROP TABLE matches; SELECT 1 AS n",
        "COPY players TO '{folder}/written'",
        "EXPORT DATABASE '{folder}'",
        "FROM evidence",
    ],
)
def test_no_query_changes_anything(query: str, koth: Koth, log: Path) -> None:
    """No query changes a file in the folder or adds one."""

    def state() -> dict[Path, tuple[bytes, int]]:
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in log.parent.iterdir()}

    before = state()
    koth("sql", log.parent, query.format(folder=log.parent))
    assert state() == before


def test_the_table_of_evidence_is_shown_beside_the_folder(
    koth: Koth, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The word `evidence` is the table, although `koth play` writes a folder of this name."""
    monkeypatch.chdir(log.parent)
    Path("evidence").mkdir()
    Path("evidence", log.name).write_text('{"format":"koth-evidence/1"}\n')
    shown = koth("sql", log.name, "evidence")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("evidence: ")


def test_a_table_is_shown_in_the_folder_with_that_name(
    koth: Koth, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a tournament's folder, `koth sql . matches` shows the table, not the logs again."""
    matches = tmp_path / "cup" / "matches"
    matches.mkdir(parents=True)
    log.rename(matches / log.name)
    monkeypatch.chdir(matches.parent)
    assert koth("sql", ".", "matches").out.startswith("matches: ")
    assert koth("sql", ".", "./matches").out == koth("sql", ".").out


def test_copies_of_matches_are_told(koth: Koth, log: Path, tmp_path: Path) -> None:
    """A match with several logs is named, because the tables count each of them."""
    copy = tmp_path / "backup" / log.name
    copy.parent.mkdir()
    copy.write_bytes(log.read_bytes())
    query = ("SELECT count(*) FROM matches", "--format", "csv")
    asked = koth("sql", log, copy, *query)
    assert asked.out == "count_star()\n2\n"
    assert asked.err == (
        f"koth: 1 match is there more than once, such as {log} and {copy}; the tables count each "
        "log. Name one copy only.\n"
    )
    assert koth("sql", log, *query).err == ""


def test_evidence_that_cannot_be_read_is_told(koth: Koth, log: Path) -> None:
    """The number of unreadable lines is on standard error, if a query reads evidence."""
    evidence = log.parent / "evidence" / log.name
    evidence.parent.mkdir()
    evidence.write_bytes(b'{"format":"koth-evidence/1"}\n{"seat":0,"ms":2.5}\n{"seat":1,\n')
    asked = koth("sql", log, "SELECT seat, ms FROM evidence", "--format", "csv")
    assert (asked.code, asked.out) == (0, "seat,ms\n0,2.5\n")
    assert asked.err == "koth: lines of evidence that could not be read: 1. They are left out.\n"
    assert koth("sql", log, QUESTION).err == ""
