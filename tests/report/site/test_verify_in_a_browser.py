"""The page that verifies logs, in headless Chromium: its verdicts are those of ``koth verify``.

The button of a match page opens the page once; then every test chooses other files on it.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions as ready
from selenium.webdriver.support.wait import WebDriverWait

import koth as library
from replay import proof_folder
from schema.discovery import EVIDENCE, TOURNAMENT
from schema.errors import KothError
from schema.signed_note import PrivateKey
from tests import contests
from tests.corpus.entries import EXPECTED
from tests.corpus.entries import HERE as CORPUS
from tests.golden.make import HERE as GOLDEN
from tests.koth.commands import Koth
from tests.report.site.conftest import SECONDS, SIGNER, Tool
from tests.sampling import LONG_RUN

pytestmark = [
    pytest.mark.usefixtures("quiet"),
    pytest.mark.filterwarnings("ignore:.*its signature was not checked"),
]

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
FOLDERS = sorted(file.parent for file in CORPUS.glob(f"*/{EXPECTED}"))
SAMPLE_FOLDERS = (
    *("signed_tournament", "proven_tournament", "checkpoint_by_another_key"),
    *("match_dropped_from_a_signed_tournament", "proof_of_another_tournament"),
)

EMPTY = """
for (const input of document.querySelectorAll("input")) input.value = "";
document.getElementById("koth-signature").open = true;
document.getElementById("koth-progress").textContent = "";
document.getElementById("koth-progress").classList.remove("alarm");
"""

Result = tuple[str, str, str]
"""A verdict, its reason, and the whole text; or no verdict, an error, and no text."""


class Page(Tool):
    """The page, open in a browser."""

    def verify(
        self,
        *paths: Path,
        key: str = "",
        origin: str = "",
        proof: Path | None = None,
        since: Sequence[Path] = (),
    ) -> Result:
        """Choose files, or a folder, with these options; return the result."""
        self.browser.execute_script(EMPTY)
        for name, value in (("key", key), ("origin", origin), ("proof", proof)):
            if value:
                self.field(name).send_keys(str(value))
        if since:
            self.field("since").send_keys("\n".join(map(str, since)))
        field = "folder" if paths[0].is_dir() else "file"
        self.field(field).send_keys("\n".join(map(str, paths)))
        return self.result()

    def result(self) -> Result:
        """Return the result that the page shows when it is done."""
        self.wait(lambda: self.text("progress") == "Done.")
        if self.failed():
            return "", self.text("progress"), ""
        return self.text("verdict"), self.text("reason"), self.text("details")


@pytest.fixture(scope="module")
def loaded(browser: Chrome, address: str, signed_site: Path) -> tuple[Page, Result]:
    """The page, opened by the button of a match page, with its first result."""
    browser.get(f"{address}/signed/matches/1-000000.html")
    browser.find_element(By.PARTIAL_LINK_TEXT, "Verify").send_keys(Keys.ENTER)
    WebDriverWait(browser, SECONDS).until(ready.title_is("Verify logs"))
    page = Page(browser)
    return page, page.result()


@pytest.fixture
def page(loaded: tuple[Page, Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """The page; commands run in an empty folder, so that they name paths as the page does."""
    monkeypatch.chdir(tmp_path)
    return loaded[0]


def command(path: Path, **options: Any) -> Result:
    """Return the result of ``koth verify``, run where ``path`` is."""
    try:
        verdict = library.verify(path.name or ".", **options)
    except KothError as error:
        return "", str(error), ""
    return verdict.verdict, verdict.reason, str(verdict)


def test_a_match_page_brings_log_proof_and_key(loaded: tuple[Page, Result]) -> None:
    """One click from a match page checks log, proof and the site's key, and says whose it is."""
    page, (verdict, reason, _) = loaded
    assert verdict == "verified"
    assert reason.endswith(f"; number 0 of 4 files signed by {SIGNER[1]}")
    assert "The key and the origin came from this site." in page.text("vouched")
    assert page.field("key").get_property("value") == SIGNER[0]


def test_logs(page: Page, tmp_path: Path) -> None:
    """Verdict, reason and text are those of the command: of a sample, or of all logs."""
    for number, log in enumerate(LOGS if LONG_RUN else SAMPLE):
        folder = tmp_path / str(number)
        folder.mkdir()
        name = log.name if log.name == TOURNAMENT else f"{number}.jsonl"
        copy = shutil.copyfile(log, folder / name)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            assert page.verify(copy) == command(copy), log


def test_the_command_for_faults_names_the_log(page: Page, tmp_path: Path) -> None:
    """The text names the command for the faults of a log, a folder, and files chosen together."""
    source = GOLDEN / "smallest_unique-1/void_by_eleven.jsonl"
    folder = tmp_path / "a b"
    folder.mkdir()
    log, other = (shutil.copyfile(source, folder / name) for name in ("x.jsonl", "y.jsonl"))
    for paths, place, named in (
        ((log,), folder, "x.jsonl"),
        ((folder,), tmp_path, "'a b'"),
        ((log, other), folder, "."),
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(place)
            result = page.verify(*paths)
            assert result == command(paths[0] if len(paths) == 1 else Path())
            assert f"see `koth faults {named}`" in result[2]


def test_folders(page: Page, tmp_path: Path) -> None:
    """A folder with its checkpoint or proof has the result of the command, for any attack."""
    differing = []
    for number, entry in enumerate(FOLDERS):
        if LONG_RUN or entry.name in SAMPLE_FOLDERS:
            folder = tmp_path / f"{number}"
            shutil.copytree(entry, folder)
            entered = tomllib.loads((entry / EXPECTED).read_text())
            options: dict[str, Any] = {
                name: entered[name] for name in ("key", "origin") if name in entered
            }
            if "proof" in entered:
                options["proof"] = entry / entered["proof"]
            if page.verify(folder, **options) != command(folder, **options):
                differing.append(entry.name)
    assert differing == []


@pytest.mark.parametrize("name", ["constructor", "__proto__"])
def test_a_name_that_each_object_of_javascript_has(page: Page, tmp_path: Path, name: str) -> None:
    """A folder may have it as any other."""
    folder = shutil.copytree(CORPUS / "signed_tournament", tmp_path / name)
    assert page.verify(folder) == command(folder)


def test_a_name_that_would_turn_around(page: Page, tmp_path: Path) -> None:
    """The name of a folder shows the character that would turn the rest of it around."""
    folder = shutil.copytree(CORPUS / "signed_tournament", tmp_path / "a\u202eb")
    assert page.verify(folder) == command(folder)
    assert page.text("name") == r"a\u202eb"


def test_a_changed_byte(page: Page, tmp_path: Path) -> None:
    """One changed byte of a log in a signed folder is found, with and without the key."""
    folder = tmp_path / "spring"
    shutil.copytree(CORPUS / "signed_tournament", folder)
    log = folder / "matches/1-000001.jsonl"
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    key, origin = SIGNER
    cases: list[dict[str, Any]] = [{}, {"key": key, "origin": origin}]
    for options in cases:
        result = page.verify(folder, **options)
        assert result == command(folder, **options)
        assert result[0] == "corrupt"


def test_the_line_of_a_divergence(page: Page, tmp_path: Path) -> None:
    """A changed answer in a log that is sealed again is found in the same line and field."""
    source = CORPUS / "answer_edited_and_resealed_in_coup/log.jsonl"
    log = shutil.copyfile(source, tmp_path / "x.jsonl")
    verdict, _, text = page.verify(log)
    assert verdict == "diverged"
    line = int(page.text("line").removeprefix("line "))
    assert f"  line {line}, event {line - 1}, field " in text


def test_a_key_among_the_files(page: Page, tmp_path: Path) -> None:
    """A folder of `koth prove --key` brings log, proof and key; the page says that it did."""
    folder = tmp_path / "mine"
    proof_folder.write(CORPUS / "signed_tournament", "1-000001", SIGNER[0], folder)
    result = page.verify(folder)
    key, origin = SIGNER
    assert result == command(folder, key=key, origin=origin, proof="mine/proof")
    assert result[0] == "verified"
    assert "came with the files" in page.text("vouched")
    page.verify(folder / "log.jsonl")
    assert page.text("vouched") == "No signature was checked."


def test_a_proof_among_the_files_counts_again(page: Page, tmp_path: Path) -> None:
    """A second look, with the key from elsewhere, has the same result: the proof is still there."""
    folder = shutil.copytree(CORPUS / "proven_tournament", tmp_path / "spring")
    (folder / "key.pub").write_text(f"{SIGNER[0]}\n")
    result = page.verify(folder)
    assert result[0] == "verified"
    assert "Signatures were checked." in page.text("vouched")
    page.browser.execute_script("document.getElementById('koth-progress').textContent = ''")
    page.field("again").send_keys(Keys.ENTER)
    assert page.result() == result


def test_several_files_are_a_folder(page: Page, tmp_path: Path) -> None:
    """Files chosen together are verified as the folder that holds only them; logs are counted."""
    paths = [tmp_path / f"{number}.jsonl" for number in range(2)]
    for source, path in zip(SAMPLE, paths, strict=False):
        shutil.copyfile(source, path)
    assert page.verify(*paths) == command(Path())
    assert page.text("name") == "2 files, 2 logs"
    renamed = paths[1].rename(tmp_path / "1.jsonl.txt")
    assert page.verify(paths[0], renamed)[0] == "verified"
    assert page.text("name") == "2 files, 1 log"


def test_a_file_chosen_after_another(page: Page, tmp_path: Path) -> None:
    """A file is verified without those chosen before it; the same file, chosen again, is, too."""
    log = tmp_path / "a.jsonl"
    other = shutil.copyfile(SAMPLE[1], tmp_path / "b.jsonl")
    page.verify(other)
    for source in SAMPLE[0], SAMPLE[2]:
        page.browser.execute_script("document.getElementById('koth-progress').textContent = ''")
        shutil.copyfile(source, log)
        page.field("file").send_keys(str(log))
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path)
            assert page.result() == command(log)


def test_files_without_their_folder(page: Page, tmp_path: Path) -> None:
    """The log of a tournament beside its matches is not `forged`: the page asks for the folder."""
    shutil.copytree(CORPUS / "signed_tournament", tmp_path / "spring")
    log = tmp_path / "spring" / TOURNAMENT
    matches = [*(tmp_path / "spring/matches").iterdir()]
    _, error, _ = page.verify(log, *matches)
    assert error.startswith("tournament.jsonl: expected the folder of its tournament, found other")
    assert page.verify(log)[0] == "verified"
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("no log")
    _, error, _ = page.verify(tmp_path / "a.txt", tmp_path / "b.txt")
    assert error == "expected a log (*.jsonl) among these files, found none."


def test_bundles(page: Page, koth: Koth, tmp_path: Path) -> None:
    """A bundle, whole or damaged, has the result of the command, also in an archive."""
    shutil.copytree(CORPUS / "signed_tournament", tmp_path / "spring")
    koth("pack", "spring", "-o", "archive")
    bundle = tmp_path / "archive/spring.jsonl.zst"
    key, origin = SIGNER
    assert page.verify(tmp_path / "archive") == command(tmp_path / "archive")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(bundle.parent)
        result = page.verify(bundle, key=key, origin=origin)
        assert result == command(bundle, key=key, origin=origin)
        assert result[0] == "verified"
        data = bytearray(bundle.read_bytes())
        data[len(data) // 2] ^= 1
        bundle.write_bytes(data)
        assert page.verify(bundle) == command(bundle)


def test_a_contest(page: Page, koth: Koth, tmp_path: Path) -> None:
    """A contest's folder, its earlier checkpoints and the proof between them are checked."""
    private = PrivateKey("example.com/cup", b"\x07" * 32)
    (tmp_path / "key").write_text(private.text())
    key, origin = str(private.public), private.name
    mine, proof = tmp_path / "mine", tmp_path / "later.proof"

    def sign(cup: Path) -> None:
        koth("sign", cup, "--key", "key")
        if not mine.exists():
            shutil.copy(cup / "checkpoint", mine)

    cup = contests.two_stages(tmp_path, sign)
    koth("prove", "cup", "--from", "mine", "-o", proof)
    words = ("--since", "mine", "--key", key, "--origin", origin)
    for path in (cup, proof):
        expected = koth("verify", path.name, *words).out.rstrip("\n")
        verdict, _, text = page.verify(path, key=key, origin=origin, since=[mine])
        assert verdict == "verified"
        assert sorted(text.splitlines()) == sorted(expected.splitlines())
    lines = (cup / "contest.jsonl").read_bytes().splitlines(keepends=True)
    (cup / "contest.jsonl").write_bytes(b"".join(lines[:-1]))
    verdict, reason, text = page.verify(cup, key=key, origin=origin, since=[mine])
    expected = koth("verify", "cup", *words).out.rstrip("\n")
    assert verdict == "forged"
    assert reason.partition("; ")[2] in expected
    assert sorted(text.splitlines()) == sorted(expected.splitlines())


def test_dropped_files(page: Page, tmp_path: Path) -> None:
    """A log, or a folder, that is dropped on the page is verified."""
    log = shutil.copyfile(SAMPLE[0], tmp_path / "x.jsonl")
    folder = tmp_path / "spring"
    shutil.copytree(CORPUS / "signed_tournament", folder)
    for path in (log, folder):
        page.browser.execute_script(EMPTY)
        for kind in ("dragEnter", "dragOver", "drop"):
            data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
            event = {"type": kind, "x": 50, "y": 50, "data": data}
            page.browser.execute_cdp_cmd("Input.dispatchDragEvent", event)
        assert page.result() == command(path)


def test_options_that_do_not_fit(page: Page, tmp_path: Path) -> None:
    """Without a key or an origin, or with a proof for several logs, the page says what to add."""
    folder = tmp_path / "spring"
    shutil.copytree(CORPUS / "signed_tournament", folder)
    assert page.verify(folder, origin="x") == command(folder, origin="x")
    key, origin = SIGNER
    file = CORPUS / "proven_tournament/proof"
    expected = command(folder, key=key, origin=origin, proof=file)
    assert page.verify(folder, key=key, origin=origin, proof=file) == expected


def test_a_phone(page: Page) -> None:
    """On a phone, the page is as wide as the window."""
    narrow = {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
    try:
        width = "return document.documentElement.scrollWidth"
        assert page.browser.execute_script(width) == 360
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_key_of_the_site(page: Page, tmp_path: Path) -> None:
    """The site's key is filled in only by a click; a checkpoint that nobody checked is named."""
    folder = tmp_path / "spring"
    shutil.copytree(CORPUS / "signed_tournament", folder)
    assert page.verify(folder) == command(folder)
    assert "Its signature was not checked" in page.text("vouched")
    page.field("offered").send_keys(Keys.ENTER)
    page.field("again").send_keys(Keys.ENTER)
    page.wait(lambda: "Signatures were checked" in page.text("vouched"))
    key, origin = SIGNER
    assert page.result() == command(folder, key=key, origin=origin)
    assert "not whose key it is" in page.text("vouched")


def test_nothing_from_elsewhere(page: Page, address: str) -> None:
    """The page loads from its own server only; its policy binds its worker, a blob, too."""
    assert page.servers() == {address}
    assert {"default-src 'none'", "connect-src 'self'"} <= {*page.policy()}
    assert "script-src 'self' 'wasm-unsafe-eval'" in page.policy()


@pytest.mark.parametrize("name", ["verify.html", "sql.html"])
def test_a_tool_from_disk_names_what_it_lacks(
    browser: Chrome, signed_site: Path, name: str
) -> None:
    """A browser refuses the scripts of a tool without a web server, and the page says so."""
    browser.get((signed_site / name).as_uri())
    assert "not work when it is opened from disk" in Page(browser).text("progress")
    assert browser.get_log("browser")  # type: ignore[no-untyped-call]


def test_links_elsewhere(browser: Chrome, address: str, signed_site: Path) -> None:
    """A link to anything but a log or a proof of this site is refused."""
    for path in ("logs/../data/catalog.json", "http://127.0.0.1:1/logs/x.jsonl"):
        page = Page(browser, f"{address}/signed/verify.html?log={path}")
        page.wait(page.failed)
        expected = f"{path}: expected a path in logs/ or proofs/, found another."
        assert page.text("progress") == expected
