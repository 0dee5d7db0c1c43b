"""The page that verifies a log, in headless Chromium: its verdicts are those of ``koth verify``."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from replay.signatures import signing
from replay.signatures.keys import make_key, private_key
from schema.discovery import EVIDENCE, TOURNAMENT
from tests.corpus.entries import HERE as CORPUS
from tests.golden.make import HERE as GOLDEN
from tests.koth.commands import Koth
from tests.report.site.conftest import Tool
from tests.sampling import LONG_RUN

LOGS = [
    log
    for log in [*sorted(GOLDEN.glob("*/*.jsonl")), *sorted(CORPUS.glob("*/**/*.jsonl"))]
    if log.is_file() and EVIDENCE not in log.parts
]
SAMPLE = (
    GOLDEN / "coup-1/many_turns_at_random.jsonl",
    GOLDEN / "coins-1/tournament_with_equal_sums.jsonl",
    CORPUS / "trailing_comma/log.jsonl",
    CORPUS / "answer_edited_and_resealed_in_bank_heist/log.jsonl",
)

DROP = """
const dropped = new DataTransfer();
dropped.items.add(new File([arguments[0]], arguments[1]));
document.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped }));
"""

Result = tuple[str, str, str]
"""A verdict, its reason, and its line as text."""


class Page(Tool):
    """The page, open in a browser."""

    def verify(self, log: Path) -> Result:
        """Choose a log, and return the verdict on it."""
        self.browser.find_element(By.ID, "koth-file").send_keys(str(log))
        self.wait(lambda: (self.text("progress"), self.text("name")) == ("Done.", log.name))
        return self.result()

    def result(self) -> Result:
        """Return the verdict that the page shows."""
        if self.failed():
            return "", self.text("progress"), ""
        return self.text("verdict"), self.text("reason"), self.text("line").removeprefix("line ")


@pytest.fixture(scope="module")
def page(browser: Chrome, address: str) -> Page:
    """The page, with the rules loaded."""
    page = Page(browser, f"{address}/verify.html")
    page.wait(lambda: page.text("progress") == "Ready.")
    return page


@pytest.fixture(autouse=True)
def quiet(browser: Chrome) -> Iterator[None]:
    """Hold that no page, and no worker, reports anything on the console."""
    yield
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def command(koth: Koth, log: Path, *options: object) -> Result:
    """Return what ``koth verify`` says."""
    run = koth("verify", "--format", "json", log, *options)
    if not run.out:
        return "", run.err.removeprefix("koth: ").removesuffix("\n"), ""
    [entry] = orjson.loads(run.out)["logs"]
    return entry["verdict"], entry["reason"], "" if entry["line"] is None else str(entry["line"])


def test_verdicts(page: Page, koth: Koth, tmp_path: Path) -> None:
    """Verdict, reason and line are those of the command: of a sample, or of all logs."""
    for number, log in enumerate(LOGS if LONG_RUN else SAMPLE):
        folder = tmp_path / str(number)
        folder.mkdir()
        name = log.name if log.name == TOURNAMENT else f"{number}.jsonl"
        copy = shutil.copyfile(log, folder / name)
        assert page.verify(copy) == command(koth, copy), log


def test_a_changed_byte(page: Page, koth: Koth, tmp_path: Path) -> None:
    """A changed answer in a log that is sealed again is found in the same line and field."""
    log = shutil.copyfile(
        CORPUS / "answer_edited_and_resealed_in_coup/log.jsonl", tmp_path / "x.jsonl"
    )
    verdict, reason, line = page.verify(log)
    assert (verdict, reason, line) == command(koth, log)
    assert verdict == "diverged"
    assert f"line {line}, event {int(line) - 1}, field " in page.text("details")


def test_a_dropped_log(page: Page, koth: Koth, history: Path) -> None:
    """A log that is dropped on the page is verified."""
    log = history / "coins.jsonl"
    page.browser.execute_script(DROP, log.read_text(), log.name)
    page.wait(lambda: (page.text("progress"), page.text("name")) == ("Done.", log.name))
    assert page.result() == command(koth, log)


def test_nothing_from_elsewhere(page: Page, address: str) -> None:
    """The page loads from its own server only; its policy binds its worker, a blob, too."""
    assert page.servers() == {address}
    assert {"default-src 'none'", "connect-src 'self'"} <= {*page.policy()}
    assert "script-src 'self' 'wasm-unsafe-eval'" in page.policy()


def test_a_link_from_a_match_page(browser: Chrome, address: str, koth: Koth, history: Path) -> None:
    """A link with the path of a log on the site verifies it; another path is refused."""
    page = Page(browser, f"{address}/verify.html?log=logs/history/coup.jsonl")
    page.wait(lambda: page.text("progress") == "Done.")
    assert page.result() == command(koth, history / "coup.jsonl")
    for path in ("../x.jsonl", "logs/../data/catalog.json", "http://127.0.0.1:1/x.jsonl"):
        other = Page(browser, f"{address}/verify.html?log={path}")
        other.wait(other.failed)
        assert other.text("progress") == f"{path}: expected a path in logs/, found another."


def test_a_proof(browser: Chrome, address: str, koth: Koth, tmp_path: Path) -> None:
    """A proof shows that the signer covers the log; that of another log makes it forged."""
    key = tmp_path / "key"
    public = make_key("example.com/spring", key)
    folder = tmp_path / "spring"
    koth("tournament", "coup", "examples/taxman", "examples/lawyer", "-o", folder, "--seed", "1",
         "--set", "rounds=1")  # fmt: skip
    signing.sign(folder, private_key(key), "example.com/spring")
    page = Page(browser, f"{address}/verify.html")
    browser.execute_script("document.getElementById('koth-signature').open = true")
    browser.find_element(By.ID, "koth-key").send_keys(str(public))
    browser.find_element(By.ID, "koth-origin").send_keys("example.com/spring")
    verdicts = []
    for match in ("1-000000", "1-000001"):
        proof = tmp_path / match
        signing.prove(folder, match, proof)
        browser.find_element(By.ID, "koth-proof").send_keys(str(proof))
        log = shutil.copyfile(folder / "matches/1-000000.jsonl", tmp_path / f"of-{match}.jsonl")
        result = page.verify(log)
        options = ("--key", public, "--origin", "example.com/spring", "--proof", proof)
        assert result == command(koth, log, *options)
        verdicts.append(result[0])
    assert verdicts == ["verified", "forged"]
    assert "were checked against the key" in page.text("checked")


def test_what_is_no_log(page: Page, tmp_path: Path) -> None:
    """A file of another kind is refused, with the remedy."""
    bundle = tmp_path / "spring.jsonl.zst"
    bundle.write_bytes(b"x")
    page.browser.find_element(By.ID, "koth-file").send_keys(str(bundle))
    page.wait(page.failed)
    assert "use koth verify" in page.text("progress")
