"""Fixtures for the tests of pages: a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
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


def opened(browser: webdriver.Chrome, page: Path, anchor: str = "") -> None:
    """Open a page from disk, afresh."""
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}{anchor}")
