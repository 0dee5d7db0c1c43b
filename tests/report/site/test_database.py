"""The tables of a site are those of ``koth sql``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit import views
from audit.archive import pack
from audit.tables import open_database
from report.site import database, packages, tools
from report.site.json_macros import DEPTH, MACROS
from schema import registry
from schema.discovery import logs
from tests.audit.archives import played
from tests.audit.test_archive_tables import forged
from tests.report.site.conftest import published
from tests.sampling import FACTOR


def test_tables(history: Path, tmp_path: Path) -> None:
    """Each table has the same rows, with JSON as text; the catalog has all tables and views.

    Only the paths of the logs are those on the site: nobody else has the folders of its author.
    """
    with open_database([history]) as tables, duckdb.connect() as connection:
        catalog = database.write(tables, tmp_path / "tables.duckdb", published(history))
        connection.execute(f"ATTACH '{tmp_path}/tables.duckdb' AS site (READ_ONLY)")
        names = [table["name"] for table in catalog["tables"]]
        made = {view for game in tables.games for view in views.files(registry.card(game))}
        assert made == {*catalog["views"]}
        assert {"players", "coup_calls", "events", "unread", "evidence"} <= {*names}
        for table in catalog["tables"]:
            if table["name"] not in catalog["views"]:
                names_of_columns = [column["name"] for column in table["columns"]]
                columns = ", ".join(f'"{name}"' for name in names_of_columns)
                query = f'SELECT {columns} FROM {{}}."{table["name"]}" ORDER BY ALL'
                actual = connection.execute(query.format("site.main")).fetchall()
                expected = tables.execute(query.format("main")).fetchall()
                if "path" in names_of_columns:
                    at = names_of_columns.index("path")
                    expected = [
                        (*row[:at], f"logs/history/{Path(row[at]).name}", *row[at + 1 :])
                        for row in expected
                    ]
                assert actual == expected
    assert {question["section"] for question in catalog["questions"]} == {
        "Any game", "Coup", "Bank Heist", "Coins", "Smallest Unique Number",
    }  # fmt: skip


def test_the_tables_of_a_site_come_from_the_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parquet files that an archive vouches for may say otherwise; the site does not ask them."""
    archive, site = tmp_path / "archive", tmp_path / "site"
    pack([played(tmp_path / "cup")], archive)
    forged(archive / "cup.jsonl.zst", "matches", "SELECT * REPLACE ('lies' AS reason) FROM rows")
    monkeypatch.setattr(packages, "check", lambda folder: None)
    monkeypatch.setattr(tools, "_files", lambda *args: ())
    site.mkdir()
    tools.writer([archive], tmp_path)(site, dict.fromkeys(logs([archive]), "logs"))
    with open_database([archive]) as tables, duckdb.connect(site / "data/tables.duckdb") as made:
        query = "SELECT DISTINCT reason FROM matches"
        assert tables.execute(query).fetchall() == [("lies",)]
        assert made.execute(query).fetchall() == [("rounds_played",)]


def test_questions_of_games_that_are_here(history: Path, tmp_path: Path) -> None:
    """Questions about another game are left out, and so are its views."""
    with open_database([history / "coup.jsonl"]) as tables:
        catalog = database.write(tables, tmp_path / "tables.duckdb", {})
    others = "|".join(name for name in registry.names() if name != "coup")
    queries = " ".join(question["query"] for question in catalog["questions"])
    assert "coup_calls" in queries
    assert not re.search(rf"\b(?:{others})_", queries)
    assert {view.partition("_")[0] for view in catalog["views"]} == {"coup"}


def test_views_in_their_order(history: Path, tmp_path: Path) -> None:
    """A view comes after all views and macros that its SQL names."""
    with open_database([history]) as tables:
        views = database.write(tables, tmp_path / "tables.duckdb", {})["views"]
    order = list(views)
    assert views["coup_effects"]["needs"] == ["coup_before", "coup_calls", "coup_effects"]
    assert "bank_heist_games" in views["bank_heist_settled"]["needs"]
    for view, entry in views.items():
        assert entry["needs"] == [name for name in order if name in entry["needs"]]
        assert entry["needs"][-1] == view or view in entry["needs"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 99) | st.text('{}[]:,"\\/\n\té ', max_size=5),
    lambda inner: st.lists(inner, max_size=3),
)
KEYS = st.text("ab_", min_size=1, max_size=3)


@pytest.fixture(scope="module")
def macros() -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB with the macros; that of the operator ``->>`` is called ``part``."""
    with duckdb.connect() as connection:
        for macro in MACROS:
            connection.execute(macro.replace('"->>"', "part"))
        yield connection


@settings(max_examples=10 * FACTOR)
@given(st.dictionaries(KEYS, VALUES, max_size=3), st.lists(VALUES, max_size=4))
def test_keys_and_indices(
    macros: duckdb.DuckDBPyConnection, value: dict[str, object], items: list[object]
) -> None:
    """The macro reads keys and indices as DuckDB's operator does, also those that are not there."""
    for key in (*value, "a"):
        _compare(macros, orjson.dumps(value).decode(), key)
    for index in (0, len(items), -1, -1 - len(items) // 2):
        _compare(macros, orjson.dumps(items).decode(), index)


def test_control_characters(macros: duckdb.DuckDBPyConnection) -> None:
    """Escaped control characters become these characters."""
    text = "".join(map(chr, range(1, 32)))
    _compare(macros, orjson.dumps({"a": text}).decode(), "a")


def _compare(macros: duckdb.DuckDBPyConnection, text: str, key: str | int) -> None:
    [(expected,)] = macros.execute("SELECT $1::JSON->>$2", [text, key]).fetchall()
    query = "SELECT part($1, $2)"
    if _depth(orjson.loads(text)) <= DEPTH:
        assert macros.execute(query, [text, key]).fetchall() == [(expected,)]
    else:
        with suppress(duckdb.ConversionException):  # it says that this is nested too deep
            assert macros.execute(query, [text, key]).fetchall() == [(expected,)]


def _depth(value: object) -> int:
    """Return the number of lists and objects inside each other."""
    if not isinstance(value, dict | list):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, inner), default=0)


def test_no_paths(macros: duckdb.DuckDBPyConnection) -> None:
    """A path instead of a key is refused."""
    with pytest.raises(duckdb.ConversionException, match="takes a key or an index, not a path"):
        macros.execute("""SELECT part('{"a":1}', '$.a')""").fetchall()


@pytest.mark.parametrize("value", ["1", "'a\"b\\'", "[1, 2]", "NULL", "[]::INT[]", "1.5"])
def test_shown(macros: duckdb.DuckDBPyConnection, value: str) -> None:
    """Numbers, texts and lists of numbers are shown as the audit shows them."""
    expected = f"coalesce(to_json({value})::VARCHAR, 'nothing')"
    [(own, other)] = macros.execute(f"SELECT shown({value}), {expected}").fetchall()
    assert own == other


def test_memory_while_the_tables_are_written(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB may take all that Koth allows: it cannot try again when a checkpoint lacks memory."""
    copy, limits = database._copy, []

    def copy_and_look(*args: Any) -> str:
        limits.append(limit())
        return copy(*args)

    def limit() -> str:
        return str(tables.execute("SELECT current_setting('memory_limit')").fetchall()[0][0])

    monkeypatch.setattr(database, "_copy", copy_and_look)
    with open_database([history], on_disk=True) as tables:
        before = limit()
        database.write(tables, tmp_path / "tables.duckdb", published(history))
        assert {*limits} == {"2.0 GiB"}
        assert before == limit() == "56.0 MiB"
