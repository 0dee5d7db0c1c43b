"""Downloaded tools are used only if they are the pinned ones."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
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


SERVING = """#!/bin/sh
case "$*" in *--no-deps*|*" pyodide@"*) ;; *) exit 1;; esac
while [ "$1" != -d ] && [ "$1" != --pack-destination ]; do shift; done
printf other > "$2/package"
"""


@pytest.mark.parametrize("client", ["npm", "pip"])
def test_a_file_is_downloaded_once(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file without those that it depends on is kept; then no client is asked for it."""
    program, folder = tmp_path / client, tmp_path / "cache"
    program.write_text(SERVING)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    one = next(package for package in packages.PACKAGES if package.client == client)
    one = replace(one, file="package", sha256=sha256(b"other").hexdigest())
    monkeypatch.setattr(packages, "PACKAGES", [one, one])
    for _ in range(2):
        assert [*packages.fetch(folder)] == [one, one]
        assert [path.read_bytes() for path in folder.iterdir()] == [b"other"]
        program.unlink(missing_ok=True)


FAILING = """case "$*" in *--silent*) exit 1;; esac
echo first error >&2
echo last error >&2
exit 1
"""


@pytest.mark.parametrize(
    ("program", "script", "told"),
    [
        ("npm", FAILING, "pyodide: npm failed: first error"),
        ("pip", FAILING, "pydantic-core: pip failed: last error"),
        ("pip3", FAILING, "pydantic-core: pip failed: last error"),
        ("npm", "exit 1", "pyodide: npm failed: it gave no reason"),
        ("pip", "exec /bin/sleep 99", "pydantic-core: pip took over 0.1 s"),
        ("no-npm", "", "npm: expected this program, found none"),
        ("no-pip", "", "pip: expected this program, found none"),
    ],
)
def test_a_client_that_fails(
    program: str, script: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is the first line of npm's errors, which --silent hides, and the last of pip's.

    A client that takes too long, or is not there, is named.
    """
    (tmp_path / program).write_text(f"#!/bin/sh\n{script}")
    (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    monkeypatch.setattr(packages, "SECONDS", 0.1 if "sleep" in script else 600)
    own = [package for package in packages.PACKAGES if package.client in program]
    monkeypatch.setattr(packages, "PACKAGES", own)
    with pytest.raises(packages.ToolsMissing, match=told):
        next(packages.fetch(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("setting", "folder"), [("/c", "/c/koth"), ("", "/h/.cache/koth"), ("c", "/h/.cache/koth")]
)
def test_the_cache(setting: str, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is where the XDG specification says; a relative path is ignored."""
    monkeypatch.setenv("XDG_CACHE_HOME", setting)
    monkeypatch.setenv("HOME", "/h")
    assert packages.cache() == Path(folder) / "browser-tools"
