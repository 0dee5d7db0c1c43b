"""The views that a game's rules share: made without one, computed at most once, the same rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from audit import memory, views
from audit.query import query, tables
from audit.tables import Database, open_database
from schema import registry
from tests import factories
from tests.audit.doctored_logs import turn

COMPUTED = "SELECT table_name FROM duckdb_tables() WHERE database_name = 'temp' ORDER BY table_oid"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with one match of Coup."""
    log = turn("I\n")
    factories.write(tmp_path / "log.jsonl", log.events, log.seed)
    return tmp_path


def computed(database: Database) -> list[object]:
    """The views that were computed, in that order."""
    return [name for (name,) in database.execute(COMPUTED).fetchall()]


def test_a_query_computes_the_views_that_it_names(logs: Path) -> None:
    """They and those that they are made from are computed, in their order; no others are."""
    with open_database([logs]) as database:
        query(database, "FROM matches")
        assert computed(database) == []
        query(database, "SELECT * FROM Coup_Reshuffles")
        assert computed(database) == [
            f"coup_{n}" for n in ("before", "calls", "effects", "reshuffles")
        ]


@pytest.mark.parametrize("game", registry.names())
def test_each_view_by_itself(game: str) -> None:
    """The text of a view comes after all that it needs: other views, and macros of other files."""
    texts = {view: path.read_text() for view, path in views.files(registry.card(game)).items()}
    for view in texts:
        needed = views.needed(view, texts)
        assert needed[-1] == view
        made = {name for other in needed for name in views.MADE.findall(texts[other])}
        known = {name for text in texts.values() for name in views.MADE.findall(text)}
        words = set(re.findall(r"\w+", views.COMMENT.sub("", texts[view])))
        assert words & known <= made


def test_a_recursion_computes_no_window_again(logs: Path) -> None:
    """The coins of imported histories take the calls of one computation, not one per call."""
    with open_database([logs]) as database:
        database.make_views()
        [(_, plan)] = database.execute("EXPLAIN (FORMAT json) FROM coup_calls").fetchall()
    operators = [*with_children(json.loads(plan))]
    [recursion] = [operator for operator in operators if operator["name"] == "REC_CTE"]
    _, repeated = recursion["children"]
    assert "WINDOW" not in [operator["name"] for operator in with_children([repeated])]


def with_children(operators: list[Any]) -> Iterator[Any]:
    """Yield these operators of a plan and all below them."""
    for operator in operators:
        yield operator
        yield from with_children(operator["children"])


def test_computed_views_hold_the_same_rows(logs: Path) -> None:
    """A view that is computed has the columns and the rows that it has otherwise."""
    found = 0
    with open_database([logs]) as database:
        database.make_views()
        for view in views.files(registry.card("coup")):
            described = database.execute(f"DESCRIBE main.{view}").fetchall()
            rows = database.execute(f"FROM main.{view}").fetchall()
            assert query(database, f"DESCRIBE {view}").rows == described
            assert sorted(query(database, f"FROM {view}").rows, key=repr) == sorted(rows, key=repr)
            assert view in computed(database)
            found += len(rows)
    assert found


def test_the_list_of_tables_has_each_view_once(logs: Path) -> None:
    """A view that was computed for a query is listed only once."""
    with open_database([logs]) as database:
        before = [table.name for table in tables(database)]
        query(database, "FROM coup_calls")
        listed = tables(database)
    assert [table.name for table in listed] == before
    for table in listed:
        names = [column.name for column in table.columns]
        assert sorted(set(names)) == sorted(names)


def test_views_in_parts_have_the_same_rows(tmp_path: Path) -> None:
    """A view that is computed part by part of the logs has the rows that it has otherwise."""
    log = turn("I\n")
    for name in "abc":
        factories.write(tmp_path / f"{name}.jsonl", log.events, log.seed)
    card = registry.card("coup")
    rows = {}
    for parts in (), (1, 2), (3,):
        with open_database([tmp_path], current_only=True) as database:
            views.compute(database, card, " ".join(views.files(card)), parts)
            rows[parts] = {
                view: sorted(database.execute(f"FROM temp.{view}").fetchall(), key=repr)
                for view in views.files(card)
            }
    assert rows[()]["coup_calls"]
    assert rows[()] == rows[1, 2] == rows[3,]


@pytest.mark.parametrize("parts", [(), (2,), (1, 2, 5)])
def test_each_row_is_in_one_part(parts: tuple[int, ...]) -> None:
    """Each number of a log, and a missing one, fulfils exactly one of the conditions."""
    for log in (*range(7), None):
        checks = ", ".join(f"coalesce({where}, false)" for where in views.conditions(parts))
        [row] = duckdb.execute(
            f"SELECT {checks} FROM (SELECT $log AS log)", {"log": log}
        ).fetchall()
        assert sum(row) == 1


def test_a_query_that_needs_more_memory_runs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database on disk has a low limit; a query that exceeds it gets more, for this time."""
    monkeypatch.setattr(memory, "LEAST", 8 << 20)
    query = "SELECT len(list(n)) FROM range(2_000_000) AS numbers(n)"
    limit = "SELECT current_setting('memory_limit')"
    with memory.connect(tmp_path, on_disk=True) as connection:
        before = connection.execute(limit).fetchall()
        with pytest.raises(duckdb.OutOfMemoryException):
            connection.execute(query).fetchall()
        assert memory.run(connection, query)[1] == [(2_000_000,)]
        assert connection.execute(limit).fetchall() == before
        monkeypatch.setenv(memory.VARIABLE, "8MiB")
        with pytest.raises(memory.Shortage):
            memory.run(connection, query)
