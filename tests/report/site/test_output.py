"""The folder of a site: only changes are written, and any kill is mended by the next run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from unittest.mock import patch

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.site import output
from report.site.output import FORMAT, MANIFEST, Output
from schema.errors import UsageError
from schema.files import temporary_beside
from schema.named_file import NamedFile

Files = Mapping[str, bytes]

PATHS = st.sampled_from(["index.html", "bots/a.html", "bots/b.html", "matches/1.html", "x/y/z"])
FILES = st.dictionaries(PATHS, st.sampled_from([b"", b"one", b"two"]), max_size=5)


class Killed(Exception):
    """Stands for a signal that no program can handle."""


def write(folder: Path, files: Files, inputs: str = "") -> None:
    """Write a site of these files; each is its own key."""
    out = Output(folder)
    out.begin()
    try:
        for path, content in files.items():
            key = f"{path} {content!r}"
            if not out.keep(path, key):
                out.put(path, content, key)
        out.finish(inputs, {"clean": True})
    finally:
        out.close()


def contents(folder: Path) -> dict[str, bytes]:
    """All files in the folder, the manifest too."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@contextmanager
def dying(step: int) -> Iterator[None]:
    """Raise at the step-th write of anything, and leave what a killed process leaves."""
    count = 0

    def die() -> None:
        nonlocal count
        count += 1
        if count > step:
            raise Killed

    def beside(target: Path) -> Path:
        die()
        return temporary_beside(target)

    def replace(path: Path, target: Path) -> Path:
        try:
            die()
        except Killed:
            copyfile(path, temporary_beside(path))  # a killed process cannot remove the file
            raise
        return rename(path, target)

    rename = Path.replace
    with patch.object(output, "temporary_beside", beside), patch.object(Path, "replace", replace):
        yield


@given(FILES, FILES, st.integers(0, 20))
def test_a_killed_run_is_completed_by_the_next(before: Files, after: Files, step: int) -> None:
    """Killed at any write and run again, the folder has the bytes of an undisturbed run."""
    with TemporaryDirectory() as name:
        expected, actual = Path(name) / "expected", Path(name) / "actual"
        write(expected, {path: after[path] for path in reversed([*after])}, "now")
        write(actual, before, "then")
        with suppress(Killed), dying(step):
            write(actual, after, "now")
        write(actual, after, "now")
        assert contents(actual) == contents(expected)
        assert not [path for path in actual.rglob("*") if path.is_dir() and not [*path.iterdir()]]


def test_a_line_that_a_kill_cut_off_is_written_again(tmp_path: Path) -> None:
    """The list of files ends in a part of a line: the next run ignores it."""
    write(tmp_path, {"index.html": b"one"})
    with (tmp_path / MANIFEST).open("ab") as file:
        file.write(orjson.dumps(LINE)[:-1])
    write(tmp_path, {"index.html": b"two"})
    assert (tmp_path / "index.html").read_bytes() == b"two"


@given(FILES, FILES)
def test_only_changes_are_written(before: Files, after: Files) -> None:
    """A file with equal content keeps its inode; all others are those of the new site."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "site"
        write(folder, before)
        inodes = {path: (folder / path).stat().st_ino for path in before}
        write(folder, after)
        assert {*contents(folder)} == {*after, MANIFEST}
        for path in before:
            if after.get(path) == before[path]:
                assert (folder / path).stat().st_ino == inodes[path]


def test_a_result_is_known_until_something_changes(tmp_path: Path) -> None:
    """The result of a run counts for its inputs, while every file has its bytes."""
    write(tmp_path, {"index.html": b"one"}, "inputs")
    assert Output(tmp_path).result("inputs") == {"clean": True}
    assert Output(tmp_path).result("others") is None
    (tmp_path / "index.html").write_bytes(b"two")
    assert Output(tmp_path).result("inputs") is None
    write(tmp_path, {"index.html": b"one"}, "inputs")
    assert (tmp_path / "index.html").read_bytes() == b"one"
    (tmp_path / "bots").mkdir()
    (tmp_path / f"bots/.koth-{'0' * 16}.tmp").touch()  # as a run leaves that was interrupted
    assert Output(tmp_path).result("inputs") is None
    (tmp_path / "index.html").unlink()
    write(tmp_path, {})
    assert {*contents(tmp_path)} == {MANIFEST}


def test_a_page_is_kept_with_the_files_of_its_key(tmp_path: Path) -> None:
    """A file with other content is written, and one with equal content keeps its inode."""
    for is_kept in (False, True):
        out = Output(tmp_path)
        out.begin()
        assert out.keep("a.html", "key") == is_kept
        if not is_kept:
            out.put("a.js", b"one", "key")
            out.put("a.html", b"two", "key")
        inode = (tmp_path / "b.html").stat().st_ino if is_kept else None
        out.put("b.html", b"three")
        out.finish("", None)
        assert {*contents(tmp_path)} == {"a.js", "a.html", "b.html", MANIFEST}
    assert (tmp_path / "b.html").stat().st_ino == inode


def test_a_failure_leaves_the_site_before_it(tmp_path: Path) -> None:
    """Its files are still Koth's, and the file that cannot be written leaves no other."""
    write(tmp_path, {"index.html": b"one"})
    for path in (None, "a.html"):
        out = Output(tmp_path)
        out.begin()
        if path:
            full = patch.object(Path, "replace", side_effect=OSError("full"))
            with full, pytest.raises(OSError, match="full"):
                out.put(path, b"two")
        out.close()
        assert {*contents(tmp_path)} == {"index.html", MANIFEST}
    write(tmp_path, {})


def test_a_line_that_is_written_in_parts_is_whole(tmp_path: Path) -> None:
    """A full disk may take a part of a line: the rest follows, so the next run knows the file."""
    with patch.object(NamedFile, "write", lambda file, data: FileIO.write(file, data[:7])):
        out = Output(tmp_path)
        out.begin()
        out.put("index.html", b"one")
        out.close()
    write(tmp_path, {})
    assert {*contents(tmp_path)} == {MANIFEST}


@pytest.mark.parametrize("path", ["mine.txt", "bots/mine.html", "bots/CNAME", "bots/link"])
def test_a_foreign_file_is_an_error(tmp_path: Path, path: str) -> None:
    """A file that Koth did not write is neither deleted nor built around: the message names it."""
    write(tmp_path, {"bots/a.html": b"one"})
    foreign = tmp_path / path
    if path.endswith("link"):
        foreign.symlink_to("/etc")
    else:
        foreign.write_bytes(b"mine")
    before = contents(tmp_path)
    with pytest.raises(UsageError, match=rf"found {path} in it"):
        Output(tmp_path)
    assert contents(tmp_path) == before


def test_a_branch_for_github_pages_is_no_foreign_folder(tmp_path: Path) -> None:
    """The folder may be a working tree of Git, with a domain of its own."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref")
    (tmp_path / "CNAME").write_text("example.com")
    write(tmp_path, {"index.html": b"one"})
    write(tmp_path, {})
    assert {*contents(tmp_path)} == {".git/HEAD", "CNAME", MANIFEST}


HEADER: dict[str, object] = {"format": FORMAT}
LINE: dict[str, object] = {"path": "index.html", "key": "", "sha256": ""}
OTHERS: tuple[object, ...] = (None, 1, [], "index.html", {"path": "index.html"})


def write_manifest(folder: Path, lines: Sequence[object]) -> None:
    """Write a list of files."""
    folder.mkdir(exist_ok=True)
    (folder / MANIFEST).write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))


@pytest.mark.parametrize(
    "lines",
    [
        *([header] for header in ([], [FORMAT], FORMAT, {}, {"format": [FORMAT]})),
        *([HEADER, line] for line in OTHERS),
        *([HEADER, LINE | {name: value}] for name in LINE for value in OTHERS[:3]),
    ],
    ids=str,
)
def test_a_manifest_of_something_else_is_an_error(tmp_path: Path, lines: list[object]) -> None:
    """A list of files that is not one is reported, not guessed at."""
    write_manifest(tmp_path, lines)
    with pytest.raises(UsageError, match="found something else"):
        Output(tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        *("../victim/precious", "bots/../../victim/precious", "/etc/precious", "", ".", "bots/"),
        *("bots//a.html", "./index.html", "..\\precious", "C:precious", "bots/a\0", "\n"),
        *(".git/config", ".GIT/config", "git~1/config", "CNAME"),
    ],
    ids=repr,
)
def test_a_manifest_with_a_path_that_koth_does_not_write_is_an_error(
    tmp_path: Path, path: str
) -> None:
    """A stranger's list makes Koth delete nothing outside of the folder, or in its ``.git``."""
    folder, precious = tmp_path / "site", tmp_path / "victim" / "precious"
    precious.parent.mkdir()
    precious.write_text("mine")
    write_manifest(folder, [HEADER, LINE | {"path": path}])
    with pytest.raises(UsageError, match="found something else"):
        write(folder, {"index.html": b"one"})
    assert precious.read_text() == "mine"
    assert {*contents(folder)} == {MANIFEST}


@pytest.mark.parametrize("name", ["bots", "index.html"])
def test_a_link_is_foreign_although_the_manifest_names_it(tmp_path: Path, name: str) -> None:
    """Koth writes no links, so it neither writes nor deletes through one."""
    folder, victim = tmp_path / "site", tmp_path / "victim"
    write(victim, {"a.html": b"mine"})
    write(folder, {name: b"one"})
    before = contents(victim)
    (folder / name).unlink()
    (folder / name).symlink_to(victim if name == "bots" else victim / "a.html")
    with pytest.raises(UsageError, match=f"found {name} in it"):
        write(folder, {"bots/b.html": b"one"})
    assert contents(victim) == before
