"""Sites in a browser, from a web server: nothing is refused, and two clicks lead to a match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from axe_core_python.selenium import Axe  # type: ignore[import-untyped]
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions as ready
from selenium.webdriver.support.wait import WebDriverWait

from report.site.pages import isolated
from tests.report.site.server import serving
from tests.report.site.sites import GAMES

pytestmark = pytest.mark.usefixtures("quiet")

PATIENCE = 20
"""Seconds that a page may take, on a machine that does much else."""

KIND = re.compile(r"[^/]+(?=\.html)|\d+")
"""What is left of the path of a page without it is the same for all pages of a kind."""

MEASURE = """
const page = document.documentElement;
return [
  page.scrollWidth - page.clientWidth,
  performance.getEntriesByType("resource").map((entry) => entry.name),
];
"""


@pytest.fixture(scope="module")
def address(sites: Path) -> Iterator[str]:
    """The address of a server of the sites."""
    with serving(sites) as address:
        yield address


def click(browser: Chrome, selector: str, title: str) -> None:
    """Follow the first link of this kind, and wait for a page with these words in its title."""
    browser.find_element(By.CSS_SELECTOR, selector).send_keys(Keys.ENTER)
    WebDriverWait(browser, PATIENCE).until(ready.title_contains(title))


def measured(browser: Chrome, address: str) -> None:
    """Check that the page is as wide as the window, and that it loaded only files of the site."""
    waiting = WebDriverWait(browser, PATIENCE)  # an entry may come after the page
    waiting.until(lambda browser: browser.execute_script(MEASURE)[1])
    over, loaded = browser.execute_script(MEASURE)
    assert over == 0
    assert all(name.startswith(f"{address}/") or name.startswith("data:") for name in loaded)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_every_page(
    browser: Chrome, sites: Path, address: str, scheme: str
) -> None:
    """A checker of accessibility has nothing to say, in light and in dark colours."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    kinds = {KIND.sub("", str(page)): page for page in sorted(sites.rglob("*.html"))}
    assert len(kinds) > len(GAMES)
    for page in kinds.values():
        browser.get(f"{address}/{page.relative_to(sites)}")
        found = Axe().run(browser)["violations"]
        assert not found, (page, [(one["id"], one["nodes"][0]["html"]) for one in found])


@pytest.mark.parametrize("game", GAMES)
def test_standings_bot_match_and_back(browser: Chrome, address: str, game: str) -> None:
    """Two clicks lead from the standings to a match with its board; back leads back."""
    home = f"{address}/games/tournaments/honest_tournament_of_{game}/index.html"
    browser.get(home)
    measured(browser, address)
    link = browser.find_element(By.CSS_SELECTOR, "table.standings tbody th a")
    name = f"{isolated(link.text, 60)}, honest_tournament_of_{game}"
    link.send_keys(Keys.ENTER)
    WebDriverWait(browser, PATIENCE).until(ready.title_is(name))
    measured(browser, address)
    click(browser, "table.matches tbody th a", "match 1-")
    board = (By.CSS_SELECTOR, "#koth-board svg > *")
    WebDriverWait(browser, PATIENCE).until(ready.presence_of_element_located(board))
    assert browser.find_element(By.ID, "koth-sentence").text
    assert browser.find_elements(By.CSS_SELECTOR, "#detail .clause")
    measured(browser, address)
    browser.back()
    WebDriverWait(browser, PATIENCE).until(ready.title_is(name))
    browser.back()
    WebDriverWait(browser, PATIENCE).until(ready.url_to_be(home))


def test_a_fault_count_leads_to_its_event(browser: Chrome, address: str) -> None:
    """The number of faults of a match opens the match at the first of them."""
    browser.get(f"{address}/hostile/index.html")
    filters = (By.ID, "filters")  # shown when the script has put rows of its own into the list
    WebDriverWait(browser, PATIENCE).until(ready.visibility_of_element_located(filters))
    link = browser.find_element(By.CSS_SELECTOR, "#list tbody td.number a")
    seq = str(link.get_attribute("href")).partition("#seq=")[2]
    link.send_keys(Keys.ENTER)
    current = (By.CSS_SELECTOR, "#rows [aria-selected=true] .at")
    WebDriverWait(browser, PATIENCE).until(ready.text_to_be_present_in_element(current, seq))


SMALL = """
const alone = document.querySelectorAll("nav a, th > a, td > a, .seats a, .files a");
const shown = [...alone].filter((link) => link.offsetParent && !link.closest(".upright"));
return shown.filter((link) => {
  const { width, height } = link.getBoundingClientRect();
  return height < 24 || (link.closest(".number") && width < 24);
}).map((link) => link.outerHTML);
"""


@pytest.mark.parametrize("page", ["index", "bots/index", "bots/bandit", "stages/0002/index"])
def test_links_outside_of_sentences_are_easy_to_hit(
    browser: Chrome, address: str, page: str
) -> None:
    """They are at least 24 pixels high, and so wide if they are numbers."""
    browser.get(f"{address}/contest/{page}.html")
    assert browser.execute_script(SMALL) == []


def test_the_name_of_a_game_keeps_to_one_line(browser: Chrome, address: str) -> None:
    """On a phone, a column that is out of sight makes no row of the tournaments higher."""
    browser.get(f"{address}/games/index.html")
    game = browser.find_element(By.CSS_SELECTOR, "#tournaments + div tbody td:nth-child(3)")
    assert game.value_of_css_property("white-space") == "nowrap"


def test_links_to_the_next_match_end_the_first_line(
    browser: Chrome, address: str, sites: Path
) -> None:
    """They are at the right edge of the page, the path of the page at the left one."""
    page = min((sites / "hostile/matches").glob("1-*.html"))
    browser.get(f"{address}/hostile/matches/{page.name}")
    [*_, last] = browser.find_elements(By.CSS_SELECTOR, "nav.trail .beside")
    main = browser.find_element(By.TAG_NAME, "main").rect
    assert last.rect["x"] + last.rect["width"] > main["x"] + main["width"] - 32


def test_hostile_bots_run_nothing(browser: Chrome, address: str, sites: Path) -> None:
    """No page with hostile names, answers and errors says anything to the console."""
    folder = sites / "hostile"
    for page in sorted([*folder.glob("bots/*.html"), *folder.glob("pairs/*.html")])[:8]:
        browser.get(f"{address}/hostile/{page.parent.name}/{page.name}")
        measured(browser, address)


def test_a_page_from_disk_works_too(browser: Chrome, sites: Path) -> None:
    """A downloaded site needs no server: its styles and scripts load from beside it."""
    match = min((sites / "hostile" / "matches").glob("1-*.html"))
    browser.get(match.as_uri())
    board = (By.CSS_SELECTOR, "#koth-board svg > *")
    WebDriverWait(browser, PATIENCE).until(ready.presence_of_element_located(board))


def test_a_long_match_loads_its_events_from_files(
    browser: Chrome, address: str, sites: Path
) -> None:
    """Of a long match, the page loads the file with the event that its address names."""
    folder = sites / "long" / "matches"
    match = min(folder.glob("1-*.html")).stem
    last = len([*folder.glob(f"{match}.chunk-*.js")]) - 1
    assert last > 0
    seq = (sites / "long/logs/matches" / f"{match}.jsonl").read_bytes().count(b"\n") - 2
    browser.get(f"{address}/long/matches/{match}.html#seq={seq}")
    current = (By.CSS_SELECTOR, "#rows [aria-selected=true] .at")
    WebDriverWait(browser, PATIENCE).until(ready.text_to_be_present_in_element(current, str(seq)))
    board = (By.CSS_SELECTOR, "#koth-board svg > *")
    WebDriverWait(browser, PATIENCE).until(ready.presence_of_element_located(board))
    _, loaded = browser.execute_script(MEASURE)
    assert f"{address}/long/matches/{match}.chunk-{last}.js" in loaded
    measured(browser, address)


def test_events_that_cannot_be_loaded_are_loaded_later(
    browser: Chrome, sites: Path, tmp_path: Path
) -> None:
    """If a file with events cannot be loaded, the page says so, and tries again when asked."""
    site = copytree(sites / "long", tmp_path / "long")
    match = min((site / "matches").glob("1-*.html"))
    [*_, chunk] = sorted(match.parent.glob(f"{match.stem}.chunk-*.js"))
    hidden = chunk.rename(tmp_path / "hidden")
    detail = (By.ID, "detail")
    browser.get(match.as_uri())
    waiting = WebDriverWait(browser, PATIENCE)
    waiting.until(ready.text_to_be_present_in_element(detail, "#"))
    browser.find_element(By.ID, "last").send_keys(Keys.ENTER)
    waiting.until(ready.text_to_be_present_in_element(detail, "cannot be loaded"))
    hidden.rename(chunk)
    browser.find_element(By.ID, "first").send_keys(Keys.ENTER)
    waiting.until(ready.text_to_be_present_in_element(detail, "#0"))
    browser.find_element(By.ID, "last").send_keys(Keys.ENTER)
    waiting.until(ready.text_to_be_present_in_element(detail, "match sealed"))
    log = browser.get_log("browser")  # type: ignore[no-untyped-call]
    assert all("ERR_FILE_NOT_FOUND" in entry["message"] for entry in log)
