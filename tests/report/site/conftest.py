"""Small sites, built once for all tests; the tools of a site, served, in a browser."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from audit.tables import open_database
from replay.signatures.signer import ExpectedSigner
from report import match
from report.site import match_job, packages, pages, tools
from schema.log_path import LogPath
from tests.audit import transcripts
from tests.golden.make import HERE as GOLDEN
from tests.koth.conftest import koth
from tests.once import MadeOnce
from tests.report.conftest import browser
from tests.report.site.server import serving
from tests.report.site.sites import (
    CORPUS,
    GAMES,
    built,
    contest,
    hostile_contest,
    hostile_tournament,
)

__all__ = ["browser", "koth"]

SIGNER = (
    *("spring.example/2026+85028454+AYMgpRl32MOMqKSSfGcN9YIeRJdhlF4V6e+yahUJ0jDq",),
    *("spring.example/2026",),
)
"""The public key and the origin of the signed tournaments of the corpus."""

SECONDS = 120
"""Seconds until a page has failed to load, or to answer."""


def published(folder: Path) -> dict[LogPath, str]:
    """The logs in a folder, with their paths on a site."""
    return {log: f"logs/{folder.name}/{log.name}" for log in folder.glob("*.jsonl")}


@pytest.fixture(scope="session")
def downloads() -> Path:
    """The folder of the downloaded tools."""
    try:
        packages.check(packages.cache())
    except packages.ToolsMissing as error:
        pytest.skip(f"the browser tools are not here: {error}")
    return packages.cache()


@pytest.fixture(scope="session")
def served(downloads: Path, made_once: MadeOnce) -> Path:
    """A folder with ``history``, a match of each game and an imported one, and two sites.

    ``public`` has these matches, ``signed`` a signed tournament and its key. Both have the tools.
    """

    def fill(folder: Path) -> None:
        history, site = folder / "history", folder / "public"
        history.mkdir()
        for game in GAMES:
            [log] = (GOLDEN / f"{game}-1").glob("many_*_at_random.jsonl")
            shutil.copyfile(log, history / f"{game}.jsonl")
        imported = transcripts.sound(3, games=4, players=4, rabble=3, results=True)
        (history / "imported.jsonl").write_bytes(transcripts.write(imported))
        shutil.copytree(history, site / "logs" / history.name)
        with open_database([history]) as tables:
            tools.write_tools(site, tables, published(history), downloads)
        paths, signer = [CORPUS / "signed_tournament"], ExpectedSigner.of(*SIGNER)
        writer = tools.writer(paths, downloads, signer)
        built(paths, folder / "signed", signer=signer, tools=writer)

    return made_once("served", fill)


@pytest.fixture(scope="session")
def history(served: Path) -> Path:
    """The folder of the matches of ``site``."""
    return served / "history"


@pytest.fixture(scope="session")
def site(served: Path) -> Path:
    """The folder of a site with the matches and both tools."""
    return served / "public"


@pytest.fixture(scope="session")
def signed_site(served: Path) -> Path:
    """The folder of a site of a signed tournament, with its key and both tools."""
    return served / "signed"


@pytest.fixture(scope="session")
def address(served: Path) -> Iterator[str]:
    """The address of a server of the sites."""
    with serving(served) as address:
        yield address


class Tool:
    """One of the two pages, open in a browser."""

    def __init__(self, browser: Chrome, address: str | None = None) -> None:
        self.browser = browser
        if address is not None:
            browser.get(address)

    def field(self, name: str) -> WebElement:
        """Return the element ``koth-NAME``."""
        return self.browser.find_element(By.ID, f"koth-{name}")

    def text(self, name: str) -> str:
        """Return the text of the element ``koth-NAME``, also if it is hidden."""
        return self.field(name).get_property("textContent")  # type: ignore[return-value]

    def failed(self) -> bool:
        """Return whether the page says that something failed."""
        progress = self.browser.find_element(By.ID, "koth-progress")
        return "alarm" in (progress.get_attribute("class") or "")

    def wait(self, is_done: Callable[[], bool]) -> None:
        """Wait until the page is done, or says that something failed."""
        end = time.monotonic() + SECONDS
        while not (is_done() or self.failed()):
            assert time.monotonic() < end, self.text("progress")
            time.sleep(0.02)

    def servers(self) -> set[str]:
        """Return the origins of everything that the page itself has loaded."""
        script = "return performance.getEntriesByType('resource').map((entry) => entry.name)"
        return {"/".join(name.split("/")[:3]) for name in self.browser.execute_script(script)}

    def policy(self) -> list[str]:
        """Return the parts of the page's Content-Security-Policy."""
        meta = self.browser.find_element(By.CSS_SELECTOR, "meta[http-equiv]")
        return (meta.get_attribute("content") or "").split("; ")


@pytest.fixture(scope="session")
def sites(made_once: MadeOnce) -> Path:
    """A folder with four sites.

    ``games`` is of tournaments of all games and a forged contest, ``contest`` of an honest contest,
    ``hostile`` of hostile bots, and ``long`` of lists with one item on each page, and of matches
    whose events are in files of their own.
    """

    def fill(folder: Path) -> None:
        cup = contest(folder)
        tournaments = [CORPUS / f"honest_tournament_of_{game}" for game in GAMES]
        built([*tournaments, hostile_contest(cup, folder / "forged")], folder / "games")
        built([cup], folder / "contest")
        built([hostile_tournament(folder / "hostile-cup")], folder / "hostile")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(match_job, "INLINE", 0)
            patch.setattr(match, "CHUNK", 8)
            patch.setattr(pages, "LISTED", 1)
            patch.setattr(pages, "BOTS", 1)
            built([CORPUS / "honest_tournament_of_bank_heist"], folder / "long")

    return made_once("sites", fill)
