"""``koth site``: its options for the tools that run in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.koth.commands import Koth

SPRING = Path(__file__).parents[1] / "corpus" / "honest_tournament_of_coins"


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
