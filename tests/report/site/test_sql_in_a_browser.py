"""The page for questions in SQL, in headless Chromium: its rows are those of ``koth sql``."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

import audit.query
from audit import result_format
from audit.tables import Database, open_database
from tests.report.site.conftest import Tool
from tests.sampling import LONG_RUN

SAMPLE = (
    *("How do bots lose cards?", "What share of its matches did a bot lose by a fault?"),
    *("How close do they come to the time limit?", "What do rotations bring?"),
    *("Was it luck or skill?", "How predictable is a bot?"),
)
WORD = re.compile(r"[^\s{}\[\],:=\"'\\]+")
"""A part of a list, a struct or a map; the keys of a map come in any order."""
VIEWS = ("coup_effects", "coup_results", "coins_turns", "bank_heist_seen_shares")
JSON = """
SELECT event->>'players'->>1->>'name' AS name, event->>'players'->>-1->>'name' AS last,
    event->>'seed_commitment' AS commitment, event
FROM events WHERE type = 'match_started' ORDER BY log
"""


class Page(Tool):
    """The page, open in a browser."""

    def wait_until_ready(self) -> None:
        """Wait until a query can be typed, and the one before has ended."""
        button = self.browser.find_element(By.ID, "koth-run")
        self.wait(button.is_enabled)

    def ask(self, query: str) -> list[list[str]]:
        """Return the cells of the answer, the head first."""
        field = self.browser.find_element(By.ID, "koth-query")
        self.browser.execute_script("arguments[0].value = arguments[1]", field, query)
        self.browser.find_element(By.ID, "koth-run").send_keys(Keys.ENTER)
        self.wait_until_ready()
        rows = "return [...document.querySelectorAll('#koth-rows tr')].map((row) => "
        script = rows + "[...row.cells].map((cell) => cell.textContent))"
        return list(self.browser.execute_script(script))


@pytest.fixture(scope="module")
def page(browser: Chrome, address: str) -> Page:
    """The page, with the tables loaded."""
    page = Page(browser, f"{address}/public/sql.html")
    page.wait_until_ready()
    return page


@pytest.fixture(autouse=True)
def quiet(browser: Chrome) -> Iterator[None]:
    """Hold that no page, and no worker, reports an error on the console."""
    yield
    messages = browser.get_log("browser")  # type: ignore[no-untyped-call]
    assert [entry for entry in messages if entry["level"] != "INFO"] == []


@pytest.fixture(scope="module")
def tables(history: Path) -> Iterator[Database]:
    """The tables of the same logs, as ``koth sql`` opens them."""
    with open_database([history]) as tables:
        yield tables


def command(tables: Database, query: str) -> list[list[str]]:
    """Return the cells that ``koth sql --format csv`` writes."""
    result = audit.query.query(tables, query)
    return [*csv.reader(io.StringIO(result_format.as_csv(result)))]


def test_questions(page: Page, tables: Database, site: Path, history: Path) -> None:
    """The questions of the documentation have the same answers as on the command line.

    The paths are those of the published logs.
    """
    questions = orjson.loads((site / "data/catalog.json").read_bytes())["questions"]
    asked = 0
    for entry in questions:
        if LONG_RUN or entry["question"] in SAMPLE:
            asked += 1
            actual = page.ask(entry["query"])
            expected = [
                [cell.replace(f"{history.parent}/", "logs/") for cell in row]
                for row in command(tables, entry["query"])
            ]
            assert sorted(map(plain, actual)) == sorted(map(plain, expected)), entry["question"]
    assert asked >= len(SAMPLE)


def plain(row: list[str]) -> list[str]:
    """Return a row without what the two programs write differently: lists, structs and maps."""
    return [*map(_words, row)]


def _words(cell: str) -> str:
    if not cell.startswith(("[", "{")):
        return cell
    words = WORD.findall(cell.replace("NULL", "null").replace("\n", "\\n"))
    return " ".join(sorted(words) if "{" in cell else words)


def test_views_of_the_audit(page: Page, tables: Database, site: Path) -> None:
    """Views that the audit's rules share have the same rows as on the command line."""
    views = orjson.loads((site / "data/catalog.json").read_bytes())["views"]
    for view in views if LONG_RUN else VIEWS:
        count = f"SELECT count(*) AS n FROM {view}"
        assert page.ask(count) == command(tables, count), view
        rows = f"FROM {view} ORDER BY ALL LIMIT 500"
        actual, expected = page.ask(rows), command(tables, rows)
        assert sorted(map(plain, actual)) == sorted(map(plain, expected)), view


def test_json(page: Page, tables: Database) -> None:
    """Events are JSON as text, and ``->>`` reads their keys, lists and lists' entries."""
    assert page.ask(JSON) == command(tables, JSON)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("Lists", "['Duke', 'Duke']"),
        ("structs", "{'a': 'x'}"),
        ("maps", "MAP {'k': 1}"),
        ("times", "TIME '01:02:03.5'"),
        ("intervals", "INTERVAL '1 day 2 hours'"),
        ("bytes", "BLOB 'ab'"),
    ],
)
def test_values_that_are_written_differently(
    page: Page, tables: Database, kind: str, value: str
) -> None:
    """The page names the kinds of values that it writes in another way than the command."""
    query = f"SELECT {value} AS value"
    assert page.ask(query) != command(tables, query)
    section = page.browser.find_element(By.CSS_SELECTOR, "main > h2 + p").text
    assert kind in section


def test_the_tables_are_listed(page: Page, tables: Database) -> None:
    """The names are those of the command line, with views that no query has needed yet."""
    expected = {*map(tuple, command(tables, "SHOW TABLES"))}
    for query in ("SHOW TABLES", "show all tables;", ".tables"):
        assert {*map(tuple, page.ask(query))} == expected, query


@pytest.mark.parametrize("query", ["DESCRIBE matches", "desc coins_course", "SUMMARIZE logs"])
def test_a_table_is_described(page: Page, tables: Database, query: str) -> None:
    """The columns are those of the command line; JSON is text here."""
    actual, expected = page.ask(query), command(tables, query)
    assert [row[0] for row in actual] == [row[0] for row in expected]


def test_errors(page: Page) -> None:
    """An error quotes the query as typed, has no empty table, and the next query works."""
    page.ask("SELECT nme FROM players")
    assert page.failed()
    assert not page.browser.find_element(By.CSS_SELECTOR, ".rows").is_displayed()
    assert "LINE 1: SELECT nme FROM players" in page.text("progress")
    assert page.ask("SELECT 1 AS n;") == [["n"], ["1"]]
    assert not page.failed()


@pytest.mark.parametrize("query", ["DESCRIBE nothere", "show nothere", "SUMMARIZE nothere"])
def test_a_table_that_is_missing(page: Page, query: str) -> None:
    """An error quotes the statement as typed, also if the page puts it into a query."""
    page.ask(query)
    assert f"LINE 1: {query}\n" in page.text("progress")


def test_explain(page: Page) -> None:
    """A statement that only the command has is told by its name."""
    page.ask("EXPLAIN FROM players")
    assert page.text("progress") == "EXPLAIN does not work in a browser; koth sql has it."


@pytest.mark.parametrize("query", ["SELECT event->'a' FROM events", "SELECT json_valid('1')"])
def test_json_that_is_missing(page: Page, query: str) -> None:
    """A query that needs the missing extension is told what works, not to install it."""
    page.ask(query)
    assert "->> reads it with a key or an index" in page.text("progress")
    assert "INSTALL" not in page.text("progress")


@pytest.mark.parametrize("query", ["SELEC 1", "SELECT 1) x", "SELECT 1,,\n 2"])
def test_an_error_of_the_parser(page: Page, query: str) -> None:
    """An error of DuckDB's parser quotes the line once."""
    page.ask(query)
    assert page.text("progress").count("LINE 1: ") == 1


@pytest.mark.parametrize(
    "query", ["CREATE TABLE x (a INTEGER)", "PRAGMA database_list", "FROM players; FROM logs"]
)
def test_a_statement_without_rows(page: Page, query: str) -> None:
    """An error quotes nothing of the statement that the page puts around a query."""
    page.ask(query)
    assert page.text("progress").startswith("Expected one query that returns rows")


@pytest.mark.parametrize(
    "query",
    [
        *("SELECT 'é; --' AS n; -- done", "/* a; */ SELECT 'é; --' AS n /* b */;; /* c; */ ;"),
        *("-- all\nDESCRIBE matches", "DESCRIBE matches -- all", "-- all\nplayers; -- of them"),
    ],
)
def test_comments(page: Page, query: str) -> None:
    """A query may have comments before it, in it, and after its semicolon."""
    assert len(page.ask(query)) > 1


@pytest.mark.parametrize("query", ["-- nothing", " ; "])
def test_no_query(page: Page, query: str) -> None:
    """Comments and semicolons alone are no query."""
    page.ask(query)
    assert page.text("progress") == "Expected a query, such as FROM players, found none."


@pytest.mark.parametrize(
    "statement", ["CREATE TABLE players AS SELECT 1 AS n", "BEGIN TRANSACTION; SELECT nme"]
)
def test_a_refused_statement_changes_nothing(page: Page, statement: str) -> None:
    """After a statement that is refused, queries have the same rows as before."""
    before = page.ask("FROM players")
    page.ask(statement)
    assert page.failed()
    assert page.ask("FROM players") == before


def test_a_query_has_no_network(page: Page) -> None:
    """A query cannot load a file from anywhere, not even from the site."""
    words = "a query reads the tables of this site only"
    for file in ("https://example.com/x.csv", page.browser.current_url):
        page.ask(f"FROM read_csv('{file}')")
        assert page.failed()
        assert words in page.text("progress")
    assert all(words in entry["message"] for entry in page.browser.get_log("browser"))  # type: ignore[no-untyped-call]


def test_nothing_from_elsewhere(page: Page, address: str) -> None:
    """The page loads from its own server only."""
    assert page.servers() == {address}
    assert {"default-src 'none'", "connect-src 'self'"} <= {*page.policy()}


def test_cells(page: Page) -> None:
    """Numbers stand below each other, and an identifier breaks at no hyphen."""
    page.ask("SELECT '1-000000' AS match, 1.5 AS low, repeat('some words ', 99) AS words")
    cells = page.browser.find_elements(By.CSS_SELECTOR, "#koth-rows td")
    styles = [[*map(cell.value_of_css_property, ("text-align", "white-space"))] for cell in cells]
    assert styles == [["left", "nowrap"], ["right", "nowrap"], ["left", "normal"]]


def test_a_long_cell(page: Page) -> None:
    """A cell may have many million characters, also quotes."""
    [_, row] = page.ask("""SELECT repeat('some "', 3000000) AS a, repeat('x', 3000000) AS b""")
    assert [*map(len, row)] == [18_000_000, 3_000_000]


def test_csv(page: Page) -> None:
    """All rows are there as CSV, also those that the page does not show."""
    rows = page.ask("""SELECT i, 'a,"b' || chr(10) AS t FROM range(1200) AS numbers(i)""")
    assert len(rows) == 1 + 1000
    assert rows[1] == ["0", 'a,"b\n']
    link = page.browser.find_element(By.ID, "koth-csv")
    assert link.get_attribute("href").startswith("blob:")  # type: ignore[union-attr]
    assert "1,200 rows" in page.text("progress")
