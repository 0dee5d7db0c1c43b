"""``koth site`` writes a folder that a web server can serve."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.koth.typing_commands import Koth


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the bytes and the inode of each file, by path."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_ino)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_logs(koth: Koth, log: Path, tmp_path: Path) -> None:
    """The logs are there byte for byte, with links; a second run writes nothing again."""
    site = tmp_path / "public"
    run = koth("site", log, "-o", site, "--no-browser-tools")
    assert (run.code, run.err) == (0, f"koth: {site} is written.\n")
    written = files(site)
    assert written.keys() == {"index.html", "logs/log.jsonl"}
    assert written["logs/log.jsonl"][0] == log.read_bytes()
    assert 'href="logs/log.jsonl"' in (site / "index.html").read_text()
    koth("site", log, "-o", site, "--no-browser-tools")
    assert files(site) == written


def test_without_the_tools(
    koth: Koth, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the downloaded files, the site has no tools and says so; a named folder must work."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = koth("site", log, "-o", tmp_path / "public")
    assert run.code == 0
    assert "without verify.html and sql.html: " in run.err
    assert "koth site --fetch-tools" in run.err
    assert not (tmp_path / "public/verify.html").exists()
    named = koth("site", log, "-o", tmp_path / "other", "--offline-tools", tmp_path)
    assert named.code == 2
    assert not (tmp_path / "other").exists()


def test_bundles(koth: Koth, tmp_path: Path) -> None:
    """A bundle becomes a folder; two logs with one path are refused."""
    bots = ("examples/taxman", "examples/lawyer")
    koth("tournament", "coup", *bots, "-o", tmp_path / "spring", "--seed", "1", "--set", "rounds=1")
    koth("pack", tmp_path / "spring", "-o", tmp_path / "archive")
    [bundle] = (tmp_path / "archive").glob("*.jsonl.zst")
    assert koth("site", bundle, "-o", tmp_path / "public", "--no-browser-tools").code == 0
    paths = [path for path in files(tmp_path / "public") if path.startswith("logs/")]
    assert all(re.match(r"logs/[^/]+/(tournament|matches/1-\d+)\.jsonl$", path) for path in paths)
    twice = koth("site", tmp_path / "spring", tmp_path / "spring", "-o", tmp_path / "twice")
    assert twice.code == 2
    assert "Rename a folder" in twice.err


def test_usage(koth: Koth, log: Path) -> None:
    """Paths and a folder are expected, or --fetch-tools."""
    run = koth("site", log)
    assert run.code == 2
    assert "--fetch-tools" in run.err
