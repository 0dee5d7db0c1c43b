"""The tables of a site are those of ``koth sql``."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from audit.tables import open_database
from report.site import database
from schema import registry


def test_tables(history: Path, tmp_path: Path) -> None:
    """Each table has the same rows, with JSON as text; the catalog lists its columns."""
    with open_database([history]) as tables, duckdb.connect() as connection:
        catalog = database.write(tables, tmp_path / "tables.duckdb")
        connection.execute(f"ATTACH '{tmp_path}/tables.duckdb' AS site (READ_ONLY)")
        names = [table["name"] for table in catalog["tables"]]
        assert {"players", "coup_calls", "events", "unread", "evidence"} <= {*names}
        for table in catalog["tables"]:
            if table["name"] not in catalog["views"]:
                columns = ", ".join(f'"{column["name"]}"' for column in table["columns"])
                query = f'SELECT {columns} FROM {{}}."{table["name"]}" ORDER BY ALL'
                actual = connection.execute(query.format("site.main")).fetchall()
                assert actual == tables.connection.execute(query.format("main")).fetchall()
    assert {question["section"] for question in catalog["questions"]} == {
        "Any game", "Coup", "Bank Heist", "Coins", "Smallest Unique Number",
    }  # fmt: skip


def test_questions_of_games_that_are_here(history: Path, tmp_path: Path) -> None:
    """Questions about another game are left out, and so are its views."""
    with open_database([history / "coup.jsonl"]) as tables:
        catalog = database.write(tables, tmp_path / "tables.duckdb")
    others = "|".join(name for name in registry.names() if name != "coup")
    queries = " ".join(question["query"] for question in catalog["questions"])
    assert "coup_calls" in queries
    assert not re.search(rf"\b(?:{others})_", queries)
    assert {view.partition("_")[0] for view in catalog["views"]} == {"coup"}


def test_views_in_their_order(history: Path, tmp_path: Path) -> None:
    """A view comes after all views and macros that its SQL names."""
    with open_database([history]) as tables:
        views = database.write(tables, tmp_path / "tables.duckdb")["views"]
    order = list(views)
    assert views["coup_effects"]["needs"] == ["coup_before", "coup_calls", "coup_effects"]
    assert "bank_heist_games" in views["bank_heist_settled"]["needs"]
    for view, entry in views.items():
        assert entry["needs"] == [name for name in order if name in entry["needs"]]
        assert entry["needs"][-1] == view or view in entry["needs"]


def test_flat_objects() -> None:
    """The macro ``->>`` reads flat objects as DuckDB's operator does, and refuses others."""
    settings = """{"a":1,"b":"x y","c":null,"d":true,"long_a":-7,"f":"","g":"null"}"""
    with duckdb.connect() as connection:
        connection.execute(database.FLAT.replace('"->>"', "flat"))
        for key in ("a", "b", "c", "d", "long_a", "f", "g", "e"):
            both = "SELECT flat(?, ?), ?::JSON->>?"
            [(own, expected)] = connection.execute(both, [settings, key, settings, key]).fetchall()
            assert own == expected
        for other in ('{"a":{"b":1}}', '{"a":[1]}', r'{"a":"\\"}'):
            with pytest.raises(duckdb.ConversionException, match="reads only flat objects"):
                connection.execute("SELECT flat(?, 'a')", [other]).fetchall()
