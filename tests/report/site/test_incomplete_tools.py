"""The tools of a site that lacks a file, in headless Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.report.site.conftest import Tool
from tests.report.site.server import serving
from tests.report.site.test_verify_in_a_browser import SAMPLE, Page


@pytest.fixture(autouse=True)
def _messages(browser: Chrome) -> Iterator[None]:
    """Leave no message on the console, where the browser itself names missing files."""
    yield
    browser.get("about:blank")
    browser.get_log("browser")  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        *(("verify.html", f"tools/{name}") for name in ("pyodide.asm.wasm", "koth.zip")),
        *(("sql.html", path) for path in ("tools/duckdb.wasm", "data/tables.duckdb")),
    ],
)
def test_a_file_that_the_site_lacks(
    browser: Chrome, signed_site: Path, tmp_path: Path, name: str, missing: str
) -> None:
    """A tool names the file that was not uploaded, or that the server does not give."""
    with serving(without(missing, signed_site, tmp_path)) as address:
        page = Tool(browser, f"{address}/{name}")
        page.wait(page.failed)
    assert f"{missing}: this site has no such file (404)." in page.text("progress")


def test_a_page_that_cannot_start(browser: Chrome, signed_site: Path, tmp_path: Path) -> None:
    """Without the script of Pyodide the page says so, also to a file that is chosen then."""
    with serving(without("tools/pyodide.mjs", signed_site, tmp_path)) as address:
        page = Page(browser, f"{address}/verify.html")
        page.wait(page.failed)
        result = page.verify(SAMPLE[0])
    assert result == ("", "The rules cannot be loaded: this site lacks a file in tools/.", "")


def without(missing: str, site: Path, folder: Path) -> Path:
    """Return a folder with links to the files of a site, and without one of them."""
    shutil.copytree(site, folder, copy_function=os.symlink, dirs_exist_ok=True)
    (folder / missing).unlink()
    return folder
