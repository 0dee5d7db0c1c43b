"""Results in a notebook: their HTML escapes everything that strangers wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor
from selenium import webdriver

import koth
from koth.library import html
from replay.render import compact
from schema.log_path import printable
from tests.factories import match_events, printed, write
from tests.report.conftest import browser as browser

TAGS = {"div", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"}
TAGS |= {"pre"}
NAME = "<svg>$e^x$&'\"\u202e"
"""A name with markup, a formula, and a reversal of text."""

HOSTILE = f"{NAME}<img src=x onerror='document.title=1'>"
"""An answer and a reason with a script."""


class Reader(HTMLParser):
    """Collects the tags, the attributes and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect a tag."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        """Collect text."""
        self.text += data


@given(st.text())
@settings(max_examples=50)
def test_text_is_only_text(value: str) -> None:
    """Any text is one text without a tag, and its printable characters are all there."""
    for shown in (html.text(value), html.strong(value), html.lines(value)):
        read = Reader(shown)
        assert read.tags <= {"strong"}
        assert read.attributes == set()
    if value.isprintable():
        assert Reader(html.text(value)).text == value


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two logs with hostile names of players and of their folder: one verifies, one does not."""
    folder = tmp_path_factory.mktemp("hostile") / NAME
    answers = ["1NN", HOSTILE, "2FF"]
    events = match_events(lambda ask: printed(answers[ask.seat]), game="coins", players=3, rounds=2)
    for player in events[0]["players"]:
        player["name"] = f"{NAME}{player['seat']}"
    write(folder / "good.jsonl", events)
    events[-1]["reason"] = HOSTILE
    write(folder / "bad.jsonl", events)
    return folder


def results(folder: Path) -> Iterator[Any]:
    """Every kind of result about these logs."""
    good, bad = folder / "good.jsonl", folder / "bad.jsonl"
    yield koth.verify(good)
    yield koth.verify(bad)
    yield koth.verify(folder)
    yield koth.replay(good, at=2)
    yield from (koth.explain(good, seq) for seq in range(8))
    yield koth.leaderboard(folder)
    yield koth.audit(folder)
    yield from koth.games()
    with koth.open(folder) as database:
        yield database


def test_results_are_escaped(hostile: Path) -> None:
    """No result has a tag, an attribute or a control character of a stranger's, nor a formula."""
    for result in results(hostile):
        page = result._repr_html_()
        read = Reader(page)
        assert read.tags <= TAGS, result
        assert read.attributes <= {"class", "style", "open"}
        assert page.replace("\n", "").isprintable()
        assert page.startswith('<div class="koth tex2jax_ignore mathjax_ignore"')


def test_results_show_what_they_found(hostile: Path) -> None:
    """Events and states are shown whole, and the colour of the bar says whether a log is fine."""
    good, bad = hostile / "good.jsonl", hostile / "bad.jsonl"
    event, ruling = koth.replay(good, at=2), koth.explain(good, 3)
    assert ruling.asked is not None
    assert ruling.answer is not None
    for result, fields in (
        (event, {"": event.event, **(event.state or {})}),
        (ruling, {"": ruling.event, **ruling.asked, **ruling.answer}),
    ):
        shown = Reader(result._repr_html_()).text
        for name, value in fields.items():
            assert f"{name}{printable(compact(value))}" in shown
    bars = [
        [colour in result._repr_html_() for colour in (html.FINE, html.BAD)]
        for result in (koth.verify(good), koth.verify(bad), event)
    ]
    assert bars == [[True, False], [False, True], [False, False]]


def test_a_match_is_escaped(tmp_path: Path) -> None:
    """A player's name and the path of the log are text."""

    def player(situation: str) -> str:
        return HOSTILE

    player.__qualname__ = player.__name__ = NAME.replace("\u202e", "")
    log = tmp_path / "<b>.jsonl"
    match = koth.play("coins", [player, player], seed=1, settings={"rounds": 1}, log=log)
    read = Reader(match._repr_html_())
    assert read.tags <= TAGS
    assert all(name in read.text for name in (*match.players, str(log)))


CELLS = (
    "import koth\nkoth.verify('good.jsonl')",
    "koth.verify('bad.jsonl')",
    "koth.replay('good.jsonl', at=2)",
    "koth.explain('good.jsonl')",
    "koth.leaderboard('good.jsonl')",
)
FAILING = "koth.verify('nowhere.jsonl')"


def test_results_in_a_notebook(hostile: Path, tmp_path: Path, browser: webdriver.Chrome) -> None:
    """A notebook with hostile logs shows results and errors as text; nothing in them runs."""
    cells = [nbformat.v4.new_code_cell(cell) for cell in (*CELLS, FAILING)]  # type: ignore[no-untyped-call]
    notebook = nbformat.v4.new_notebook(cells=cells)  # type: ignore[no-untyped-call]
    where = {"metadata": {"path": str(hostile)}}
    run = ExecutePreprocessor(  # type: ignore[no-untyped-call]
        timeout=120, kernel_name="python3", allow_errors=True
    )
    run.preprocess(notebook, where)
    exporter = HTMLExporter(mathjax_url="", require_js_url="")  # type: ignore[no-untyped-call]
    body, _ = exporter.from_notebook_node(notebook)
    page = tmp_path / "notebook.html"
    page.write_text(re.sub(r'<(script|link)[^>]+src="https[^>]*>(</script>)?', "", body))
    browser.get(page.as_uri())
    shown = [block.text for block in browser.find_elements("css selector", "div.koth")]
    assert len(shown) == len(CELLS)
    words = ["verified", "diverged", "event 2", "CN-7", "rank"]
    assert [word for word, text in zip(words, shown, strict=True) if word not in text] == []
    assert "<svg>$e^x$" in shown[3]
    assert "nowhere.jsonl: there is no such file" in browser.find_element("tag name", "body").text
    assert "Traceback" not in browser.page_source
    assert browser.title != "1"
    assert browser.find_elements("css selector", "div.koth :is(img, svg)") == []


@pytest.mark.parametrize("more", [0, 2])
def test_findings_that_are_not_shown_are_counted(more: int, tmp_path: Path) -> None:
    """A table has the first findings, and a sentence says how many there are beside them."""
    for number in range(html.SHOWN + more):
        (tmp_path / f"{number:02}.jsonl").write_bytes(b"{")
    for result in (koth.verify(tmp_path), koth.audit(tmp_path)):
        shown = Reader(result._repr_html_()).text
        names = [f"{number:02}.jsonl" for number in range(html.SHOWN + more)]
        assert [name for name in names if name in shown] == names[: html.SHOWN]
        assert (f"… and {more} more" in shown) == bool(more)
