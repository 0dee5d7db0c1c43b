"""``koth site``: its options, its messages, and the tools that run in a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from report.site import packages
from tests.koth.commands import Koth

CORPUS = Path(__file__).parents[1] / "corpus"
SPRING = CORPUS / "honest_tournament_of_coins"


def test_without_the_tools(koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the downloaded files, the site has no tools and says so; a named folder must work."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = koth("site", SPRING, "-o", tmp_path / "public")
    assert run.code == 0
    assert "without verify.html and sql.html: " in run.err
    assert "koth site --fetch-tools" in run.err
    assert (tmp_path / "public/index.html").is_file()
    assert not (tmp_path / "public/verify.html").exists()
    named = koth("site", SPRING, "-o", tmp_path / "other", "--offline-tools", tmp_path)
    assert named.code == 2
    assert not (tmp_path / "other").exists()


def test_usage(koth: Koth) -> None:
    """Paths and a folder are expected, or --fetch-tools; two options contradict each other."""
    run = koth("site", SPRING)
    assert run.code == 2
    assert "--fetch-tools" in run.err
    both = koth("site", SPRING, "-o", "x", "--offline-tools", ".", "--no-browser-tools")
    assert both.code == 2


def test_a_whole_site_is_verified(koth: Koth, tmp_path: Path) -> None:
    """A downloaded site can be verified as a folder: each of its JSON Lines files is a log."""
    koth("site", SPRING, "-o", tmp_path / "public", "--no-browser-tools")
    whole, logs = (koth("verify", tmp_path / "public" / name) for name in ("", "logs"))
    assert (whole.code, whole.out) == (0, logs.out)


def test_the_second_run_finds_the_site_up_to_date(koth: Koth, tmp_path: Path) -> None:
    """The message says what the site holds, and whether a file changed; the feed has addresses."""
    site, base = tmp_path / "public", "https://example.org/cup"
    words = ["site", SPRING, "-o", site, "--no-browser-tools", "--base-url", base, "--title", "May"]
    for state in ("is written", "is up to date"):
        run = koth(*words)
        told = f"koth: {site} {state}: 1 tournament, 3 matches.\n"
        assert (run.code, run.out, run.err) == (0, "", told)
    feed = json.loads((site / "feed.json").read_text())
    assert (feed["title"], feed["home_page_url"]) == ("May", f"{base}/")


def test_a_folder_without_logs_is_named(koth: Koth, tmp_path: Path) -> None:
    """The site is of the other paths."""
    (tmp_path / "empty").mkdir()
    typed = koth("site", SPRING, tmp_path / "empty", "-o", tmp_path / "s", "--no-browser-tools")
    told = f"koth: {tmp_path / 'empty'}: expected a log (*.jsonl), found none."
    assert (typed.code, typed.err.splitlines()[0]) == (0, told)


def test_findings_are_in_the_exit_code(koth: Koth, tmp_path: Path) -> None:
    """A site of a tournament that does not verify is written; the message says that it has some."""
    run = koth(
        "site", CORPUS / "another_seed_in_a_tournament", "-o", tmp_path, "--no-browser-tools"
    )
    assert run.code == 1
    assert run.err.endswith(". The pages list the findings.\n")
    assert (tmp_path / "index.html").is_file()


def test_the_tools_are_downloaded_without_a_site(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file is named when it is there, in the folder of the tools."""
    monkeypatch.setattr(packages, "fetch", lambda folder: packages.PACKAGES)
    run = koth("site", "--fetch-tools", "--offline-tools", tmp_path)
    files = [line.rpartition(": ")[2] for line in run.out.splitlines()]
    assert (run.code, files) == (0, [f"{tmp_path / package.file}" for package in packages.PACKAGES])
