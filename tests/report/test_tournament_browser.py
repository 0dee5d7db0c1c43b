"""The page of a tournament in a browser: sorted, filtered, turned, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from report import tournament
from tests.report.conftest import enlarge, fit_on_paper, opened
from tests.report.test_tournament import CORPUS, HONEST, gathered

pytestmark = pytest.mark.usefixtures("quiet")

PATIENCE = 20
"""Seconds that a page may take, on a machine that does much else."""

HOSTILE = "<img src=x onerror=console.error(1)>"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A thousand matches of Coins, the last with faults, every tenth won by a hostile name."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    one = honest.matches[0]
    matches = [replace(one, match=f"1-{n:06}", winners=[n % 2], faults=()) for n in range(1000)]
    for n in range(0, 1000, 10):
        names = [HOSTILE, *one.names[1:]]
        matches[n] = replace(matches[n], names=names, scores=[2**60 + n, -n], winners=[0])
    matches[-1] = replace(matches[-1], faults=[(1, "timeout", 3, 7), (0, "crash", 1, 9)])
    path = tmp_path_factory.mktemp("pages") / "page.html"
    path.write_text(tournament.page(replace(honest, matches=matches)), encoding="utf-8")
    return path


def shown(browser: Chrome) -> list[str]:
    """The matches that are in the list now."""
    script = "return [...document.querySelectorAll('#list tbody th')].map(one => one.textContent)"
    return list(browser.execute_script(script))


def tell(browser: Chrome, expected: str) -> None:
    """Wait until this text is above the list."""
    shown = expected_conditions.text_to_be_present_in_element((By.ID, "shown"), expected)
    WebDriverWait(browser, PATIENCE).until(shown, f"expected: {expected}")


def loaded(browser: Chrome, page: Path) -> None:
    """Open the page, and wait until its script has run."""
    opened(browser, page)
    tell(browser, "1–50 of 1,000 matches.")


def heads(browser: Chrome) -> dict[str, str]:
    """The columns' names, and how each is sorted."""
    found = browser.find_elements(By.CSS_SELECTOR, "#list thead th")
    return {one.text.split("\n")[0]: one.get_attribute("aria-sort") or "" for one in found}


def test_it_turns_pages(browser: Chrome, page: Path) -> None:
    """The list shows fifty matches at a time, and its buttons stop at both ends."""
    loaded(browser, page)
    back, on = browser.find_elements(By.CSS_SELECTOR, "#pages button")
    assert len(shown(browser)) == 50
    assert (back.is_enabled(), on.is_enabled()) == (False, True)
    on.send_keys(Keys.ENTER)
    tell(browser, "51–100 of 1,000 matches.")
    assert shown(browser)[0] == "1-000050"
    back.send_keys(Keys.ENTER)
    assert shown(browser)[0] == "1-000000"


def test_it_sorts(browser: Chrome, page: Path) -> None:
    """A column head sorts by its column, and reverses the order when it is used again."""
    loaded(browser, page)
    buttons = browser.find_elements(By.CSS_SELECTOR, "#list thead button")
    names = [button.text for button in buttons]
    assert [name.split(" ")[0] for name in names] == [
        *("match", "players,", "result", "faults", "verdict")
    ]
    buttons[0].send_keys(Keys.ENTER)
    assert shown(browser)[0] == "1-000999"
    assert list(heads(browser).values()) == ["descending", "", "", "", ""]
    buttons[3].send_keys(Keys.ENTER)
    assert shown(browser)[:2] == ["1-000999", "1-000000"]
    assert list(heads(browser).values()) == ["", "", "", "descending", ""]
    buttons[1].send_keys(Keys.ENTER)
    winner = browser.find_element(By.CSS_SELECTOR, "#list tbody .winner bdi").text
    assert winner == HOSTILE


def test_it_filters(browser: Chrome, page: Path) -> None:
    """By bot, result, fault and verdict, together; one button shows all again."""
    loaded(browser, page)
    bot = browser.find_element(By.NAME, "bot")
    bot.send_keys("onerror")
    tell(browser, "1–50 of 100 matches, of 1,000.")
    Select(browser.find_element(By.NAME, "fault")).select_by_visible_text("timeout")
    tell(browser, "0 matches, of 1,000.")
    bot.send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.DELETE)
    tell(browser, "1 match, of 1,000.")
    assert shown(browser) == ["1-000999"]
    Select(browser.find_element(By.NAME, "fault")).select_by_visible_text("none")
    tell(browser, "1–50 of 999 matches, of 1,000.")
    verdicts = Select(browser.find_element(By.NAME, "verdict"))
    assert [option.text for option in verdicts.options] == ["any", "verified"]
    browser.find_element(By.CSS_SELECTOR, "#filters button").send_keys(Keys.ENTER)
    tell(browser, "1–50 of 1,000 matches.")


def test_a_fault_is_looked_for_in_the_bot(browser: Chrome, page: Path) -> None:
    """With a bot and a kind of fault, the matches are those in which this bot failed so."""
    loaded(browser, page)
    names = gathered(CORPUS / f"{HONEST}coins").matches[0].names
    Select(browser.find_element(By.NAME, "fault")).select_by_visible_text("timeout")
    tell(browser, "1 match, of 1,000.")
    for name, expected in zip(names, ("0 matches", "1 match"), strict=True):
        browser.find_element(By.NAME, "bot").clear()
        browser.find_element(By.NAME, "bot").send_keys(name)
        tell(browser, f"{expected}, of 1,000.")


def test_more_of_a_match(browser: Chrome, page: Path) -> None:
    """Its button unfolds faults with their events, and the commands for this match."""
    loaded(browser, page)
    Select(browser.find_element(By.NAME, "fault")).select_by_visible_text("any fault")
    tell(browser, "1 match, of 1,000.")
    button = browser.find_element(By.CSS_SELECTOR, "#list tbody th button")
    button.send_keys(Keys.SPACE)
    assert button.get_attribute("aria-expanded") == "true"
    more = browser.find_element(By.CSS_SELECTOR, "#list .more").text
    assert re.search(r"failed: timeout × 3, first in event 7\b", more)
    assert "koth report " in more
    button.send_keys(Keys.SPACE)
    assert browser.find_elements(By.CSS_SELECTOR, "#list .more") == []


def test_scores_are_exact(browser: Chrome, page: Path) -> None:
    """A score beyond the numbers of scripts is shown to its last digit."""
    loaded(browser, page)
    first = browser.find_element(By.CSS_SELECTOR, "#list tbody .winner").text
    assert first == f"{HOSTILE} {2**60:,}"


def test_a_script_shows_what_the_page_shows_without(browser: Chrome, page: Path) -> None:
    """The rows that the script makes are equal to the rows in the file."""
    loaded(browser, page)
    text = page.read_text(encoding="utf-8")
    [body] = re.findall(r'id="list">.*?<tbody>(.*?)</tbody>', text, re.S)
    script = """
      const box = document.createElement("tbody");
      box.innerHTML = arguments[0];
      const words = body => [...body.rows].map(row =>
        [...row.cells].map(cell => cell.textContent.split(/\\s+/).filter(Boolean).join(" ")));
      const text = row => row.map(cell => cell.replaceAll(" ", ""));
      return [words(box).map(text), words(document.querySelector("#list tbody")).map(text)];
    """
    plain, made = browser.execute_script(script, body)
    assert plain == made


def test_the_identifier_of_a_match_keeps_to_one_line(browser: Chrome, page: Path) -> None:
    """On a phone, where names of rows may break, the hyphen of a match breaks no line."""
    size = {"width": 375, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        loaded(browser, page)
        match = browser.find_element(By.CSS_SELECTOR, "#list tbody th")
        assert match.value_of_css_property("white-space") == "nowrap"
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_long_name_breaks_in_a_list_of_players(browser: Chrome, tmp_path: Path) -> None:
    """On a phone, the longest name is not wider than the column of players."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    one = honest.matches[0]
    names = ["x" * 64, *one.names[1:]]
    path = tmp_path / "page.html"
    path.write_text(tournament.page(replace(honest, matches=[replace(one, names=names)])))
    size = {"width": 375, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        opened(browser, path)
        seats = browser.find_element(By.CSS_SELECTOR, ".seats")
        assert seats.get_property("scrollWidth") == seats.get_property("clientWidth")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_match_of_many_players_names_the_first(browser: Chrome, tmp_path: Path) -> None:
    """The list names ten players and says how many others there are, with a script and without."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    names = [f"bot-{n}" for n in range(100)]
    many = [replace(one, names=names, scores=[*range(100)]) for one in honest.matches]
    path = tmp_path / "page.html"
    path.write_text(tournament.page(replace(honest, matches=many)))
    assert path.read_text().count("and 90 more") == len(many) > 1
    opened(browser, path)
    seats = browser.find_elements(By.CSS_SELECTOR, "#list tr:first-child .seats li")
    assert [seat.text for seat in seats][10:] == ["and 90 more"]


def test_large_letters_fit_on_a_phone(
    browser: Chrome, narrow: Callable[[int], None], page: Path
) -> None:
    """All text follows the reader's size of letters, and the title keeps its width."""
    narrow(320)
    loaded(browser, page)
    enlarge(browser)


def test_long_names_leave_the_last_column_on_paper(
    browser: Chrome, narrow: Callable[[int], None], tmp_path: Path
) -> None:
    """The standings are no wider than a browser can shrink to a page."""
    contents = gathered(CORPUS / f"{HONEST}coup")
    [table] = contents.standings
    at = table.columns.index("name")
    rows = [(*row[:at], "W" * 64, *row[at + 1 :]) for row in table.rows]
    path = tmp_path / "page.html"
    path.write_text(tournament.page(replace(contents, standings=[replace(table, rows=rows)])))
    opened(browser, path)
    fit_on_paper(browser, narrow)


def test_the_pairings_of_thirty_bots_fit_on_paper(
    browser: Chrome, narrow: Callable[[int], None], tmp_path: Path
) -> None:
    """Their last columns are not cut at the edge of the sheet."""
    contents = gathered(CORPUS / f"{HONEST}coup")
    bots = [f"bot-with-a-name-{n}" for n in range(30)]
    rows = [(one, other, 1, 2) for one in bots for other in bots if one != other]
    path = tmp_path / "page.html"
    plot = replace(contents.plots[0], rows=rows)
    path.write_text(tournament.page(replace(contents, plots=[plot])), encoding="utf-8")
    opened(browser, path)
    fit_on_paper(browser, narrow)


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("game", ["coins", "coup"])
def test_it_never_goes_sideways(browser: Chrome, tmp_path: Path, width: int, game: str) -> None:
    """On a screen and on a phone only tables scroll, within themselves, and the keyboard can.

    In a table of sixty bots the names stay in sight.
    """
    path = tmp_path / "page.html"
    contents = gathered(CORPUS / f"{HONEST}{game}")
    if game == "coup":
        bots = [f"bot-with-a-name-{n}" for n in range(60)]
        rows = [(one, other, 1, 2) for one in bots for other in bots if one != other]
        contents = replace(contents, plots=[replace(contents.plots[0], rows=rows)])
    path.write_text(tournament.page(contents), encoding="utf-8")
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        opened(browser, path)
        script = """
          for (const one of document.querySelectorAll("details")) one.open = true;
          const plots = [...document.querySelectorAll(".plot")].map(one => one.offsetWidth > 0);
          const boxes = [...document.querySelectorAll(".scroll")].every(one => one.tabIndex === 0);
          const page = document.documentElement, names = [];
          for (const box of document.querySelectorAll(".matrix")) {
            box.scrollTo({ left: 700, behavior: "instant" });
            const left = one => one.getBoundingClientRect().left;
            names.push([...box.querySelectorAll("tbody th")].every(one => left(one) === left(box)));
          }
          return [page.scrollWidth - page.clientWidth, boxes, plots, names];
        """
        over, boxes, seen, names = browser.execute_script(script)
        assert (over, boxes) == (0, True)
        assert names == ([True] if game == "coup" else [])
        assert seen == ([] if game == "coup" else [width > 500, width < 500])
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


OVER_THE_EDGE = """
  return [...document.querySelectorAll(".plot svg")].flatMap(svg => {
    const width = Number(svg.getAttribute("viewBox").split(" ")[2]);
    return [...svg.querySelectorAll("text")].filter(text => {
      const box = text.getBBox();
      return box.x + box.width > width + 1;
    }).map(text => text.textContent);
  });
"""


@pytest.mark.parametrize("width", [1280, 375])
def test_no_name_is_cut_at_the_edge_of_a_plot(
    browser: Chrome, narrow: Callable[[int], None], tmp_path: Path, width: int
) -> None:
    """Names of broad letters beside the lines of a plot are in it, with their ellipsis."""
    contents = gathered(CORPUS / f"{HONEST}coins")
    [plot] = contents.plots
    names = ("W" * 64, "M" * 18, "龙" * 30, "CAPITALS-OF-A-NAME", "{{7*7}}%s@w", "😀" * 9)
    rows = [(name, *row[1:]) for name in names for row in plot.rows if row[0] == plot.rows[0][0]]
    path = tmp_path / "page.html"
    text = tournament.page(replace(contents, plots=[replace(plot, rows=rows)]))
    path.write_text(text, encoding="utf-8")
    narrow(width)
    opened(browser, path)
    assert browser.execute_script(OVER_THE_EDGE) == []
