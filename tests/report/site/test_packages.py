"""Downloaded tools are used only if they are the pinned ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from report.site import packages

NPM = """#!/bin/sh
printf other > "$4/pyodide-314.0.7.tgz"
"""


def test_a_changed_file(tmp_path: Path) -> None:
    """A file with other bytes is refused: both hashes are named, and what to do."""
    first = packages.PACKAGES[0]
    (tmp_path / first.file).write_bytes(b"other")
    with pytest.raises(packages.ToolsMissing, match=f"expected the SHA-256 {first.sha256}, found"):
        packages.check(tmp_path)
    with pytest.raises(packages.ToolsMissing, match="--fetch-tools"):
        [*packages.members(tmp_path)]


def test_another_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry that serves another file is refused, and its file is not kept."""
    npm = tmp_path / "npm"
    npm.write_text(NPM)
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(packages.ToolsMissing, match="npm downloaded another file"):
        next(packages.fetch(tmp_path / "cache"))
    assert [*(tmp_path / "cache").iterdir()] == []


FAILING = """#!/bin/sh
case "$*" in *--silent*) exit 1;; esac
echo first error >&2
echo last error >&2
exit 1
"""


@pytest.mark.parametrize(("client", "reason"), [("npm", "first error"), ("pip", "last error")])
def test_a_client_that_fails(
    client: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is the first line of npm's errors, which --silent hides, and the last of pip's."""
    program = tmp_path / client
    program.write_text(FAILING)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    own = [package for package in packages.PACKAGES if package.client == client]
    monkeypatch.setattr(packages, "PACKAGES", own)
    with pytest.raises(packages.ToolsMissing, match=f"{own[0].name}: {client} failed: {reason}"):
        next(packages.fetch(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("setting", "folder"), [("/c", "/c/koth"), ("", "/h/.cache/koth"), ("c", "/h/.cache/koth")]
)
def test_the_cache(setting: str, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is where the XDG specification says; a relative path is ignored."""
    monkeypatch.setenv("XDG_CACHE_HOME", setting)
    monkeypatch.setenv("HOME", "/h")
    assert packages.cache() == Path(folder) / "browser-tools"
