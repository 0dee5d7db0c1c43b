"""Fixtures for the tests of pages: a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ARGUMENTS = (
    "headless",
    "no-sandbox",
    "disable-gpu",
    "disable-quic",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Chromium without a window; ``KOTH_CHROMIUM`` says where it is, if not on PATH."""
    named = os.environ.get("KOTH_CHROMIUM") or "chromium"
    chromium, driver = shutil.which(named), shutil.which("chromedriver")
    if chromium is None or driver is None:
        missing = named if chromium is None else "chromedriver"
        pytest.skip(f"{missing} is not here: the pages are not tried in a browser")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ARGUMENTS:
        options.add_argument(f"--{argument}")
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with webdriver.Chrome(options=options, service=Service(driver)) as found:
        found.set_window_size(1280, 900)
        yield found


@pytest.fixture
def quiet(browser: webdriver.Chrome) -> Iterator[None]:
    """Hold that no page, and no worker, reports anything on the console."""
    yield
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.fixture
def narrow(browser: webdriver.Chrome) -> Iterator[Callable[..., None]]:
    """Makes the window as narrow as a phone; it is wide again after the test."""

    def resize(width: int, height: int = 800) -> None:
        mobile = width < 500
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    yield resize
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


ENLARGE = """
  const page = document.documentElement;
  const own = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const texts = [...document.querySelectorAll("body :not(svg, svg *)")].filter(own);
  const sizes = () => texts.map((one) => parseFloat(getComputedStyle(one).fontSize));
  const before = sizes();
  page.style.fontSize = "200%";
  const after = sizes();
  const same = texts.filter((_, n) => Math.abs(after[n] - 2 * before[n]) > .1);
  const title = document.querySelector("h1").offsetWidth / page.clientWidth;
  return [page.scrollWidth - page.clientWidth, same.map((one) => one.outerHTML), title];
"""


def enlarge(browser: webdriver.Chrome) -> None:
    """Double the letters, and check that all text grows and the page goes nowhere sideways."""
    over, same, title = browser.execute_script(ENLARGE)
    assert (over, same) == (0, [])
    assert title > 1 / 2


def fit_on_paper(browser: webdriver.Chrome, narrow: Callable[[int], None]) -> None:
    """Check that a sheet of A4, 717 pixels wide, is enough: Chromium shrinks a page by a third."""
    narrow(717)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    width = browser.execute_script("return document.documentElement.scrollWidth")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert width <= 1.5 * 717


def opened(browser: webdriver.Chrome, page: Path, anchor: str = "") -> None:
    """Open a page from disk, afresh."""
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}{anchor}")
