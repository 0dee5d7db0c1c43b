"""Files that others can prepare: no pipe delays a reader, and no link redirects a writer."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any
from unittest.mock import patch

import pytest

from schema import files
from schema.files import (
    first_line,
    making,
    open_regular,
    refuse_links,
    replacing,
    replacing_folder,
    sha256_of,
    write_new,
)
from schema.seal import hex_digest
from schema.writer import AppendOnlyFile
from tests.schema.test_writer_and_reader import full_disk


@pytest.mark.parametrize("read", [first_line, sha256_of, open_regular])
def test_only_regular_files_are_read(read: Callable[[Path], object], tmp_path: Path) -> None:
    """A pipe, a device, a folder, and links to them are refused by name, without waiting."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for path, kind in (
        (tmp_path / "pipe", "a pipe"),
        (tmp_path / "zero", "a device"),
        (tmp_path, "a folder"),
    ):
        with pytest.raises(OSError, match=f"expected a regular file, found {kind}") as error:
            read(path)
        assert error.value.filename == str(path)


def test_a_file_is_read_in_pieces(tmp_path: Path) -> None:
    """The hash covers the whole file, and a first line is read up to the maximum of a line."""
    (tmp_path / "log").write_bytes(b"x" * 25 + b"\nmore")
    with patch.object(files, "CHUNK", 7), patch.object(files, "LINE_BYTES", 20):
        assert sha256_of(tmp_path / "log").hex() == hex_digest(b"x" * 25 + b"\nmore")
        assert first_line(tmp_path / "log") == b"x" * 20


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    """An existing file, a link to one, and a link to nothing are not replaced."""
    (tmp_path / "file").write_text("kept")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("gone")
    for name in ("file", "link", "dangling"):
        with pytest.raises(FileExistsError):
            write_new(tmp_path / name, b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "file", "link"]
    assert (tmp_path / "link").read_text() == "kept"
    write_new(tmp_path / "new", b"new", 0o600)
    assert (tmp_path / "new").read_bytes() == b"new"
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600


def test_a_new_file_in_a_folder_without_permission_to_read(tmp_path: Path) -> None:
    """A folder that may be written but not read cannot be synced, and holds the new file."""
    opened = os.open

    def refused(path: object, *arguments: Any) -> int:
        if path == tmp_path:  # root may read every folder
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, *arguments)  # type: ignore[arg-type]

    with patch.object(os, "open", refused):
        write_new(tmp_path / "new", b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_a_new_file_without_hard_links(tmp_path: Path) -> None:
    """Without hard links the new file is renamed, and still replaces nothing."""
    with patch.object(os, "link", side_effect=PermissionError(1, "no links here")):
        write_new(tmp_path / "new", b"new")
        with pytest.raises(FileExistsError):
            write_new(tmp_path / "new", b"newer")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """A link is replaced itself, and its target is unchanged."""
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "file").symlink_to("victim")
    with replacing(tmp_path / "file") as temporary:
        temporary.write_text("new")
    assert not (tmp_path / "file").is_symlink()
    assert [(tmp_path / name).read_text() for name in ("victim", "file")] == ["kept", "new"]


def test_a_planted_link_at_the_temporary_name_is_not_followed(tmp_path: Path) -> None:
    """A link at the temporary name is not followed, and no file is written."""
    (tmp_path / "victim").write_text("kept")
    (tmp_path / ".koth-guessed.tmp").symlink_to("victim")
    with patch.object(files, "token_hex", return_value="guessed"), pytest.raises(FileExistsError):
        write_new(tmp_path / "new", b"new")
    assert (tmp_path / "victim").read_text() == "kept"
    assert not (tmp_path / "new").exists()


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    """If the block fails, neither the file nor a part of it is left."""
    with pytest.raises(UnicodeEncodeError), replacing(tmp_path / "new") as temporary:
        temporary.write_text("half\udcff")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    """An error of writing names the file that is wanted, no temporary one, and nothing is left."""
    wanted = tmp_path / "new"
    with full_disk(100):
        with pytest.raises(OSError, match="too large") as of_file:
            write_new(wanted, bytes(1000))
        with (
            pytest.raises(OSError, match="too large") as of_folder,
            replacing_folder(wanted) as new,
        ):
            (new / "log").write_bytes(bytes(1000))
    assert [of_file.value.filename, of_folder.value.filename] == [str(wanted)] * 2
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fails_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    """If a file cannot be synced, the error names it, and nothing is left."""
    failed = OSError(errno.EIO, "Input/output error")
    with (
        patch.object(os, "fsync", side_effect=failed),
        pytest.raises(OSError, match="output") as told,
    ):
        write_new(tmp_path / "new", b"new")
    assert told.value.filename == str(tmp_path / "new")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("read", [lambda file: file.readline(), lambda file: file.read()])
def test_an_error_of_reading_names_the_file(read: Callable[[IO[bytes]], bytes]) -> None:
    """If a disk fails while a file is read, the error has the file's name."""
    path = Path("/proc/self/mem")  # it cannot be read at its beginning
    with open_regular(path) as file, pytest.raises(OSError, match="Input/output") as told:
        read(file)
    assert told.value.filename == str(path)


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.ENOSPC])
def test_a_system_that_fails_is_no_wrong_usage(number: int, tmp_path: Path) -> None:
    """An error about the disk or the system, where something is made, keeps its kind."""
    with pytest.raises(OSError, match=os.strerror(number)) as told, making(tmp_path / "new"):
        raise OSError(number, os.strerror(number))
    assert told.value.filename == str(tmp_path / "new")


def test_an_error_of_another_file_keeps_its_name(tmp_path: Path) -> None:
    """A source that cannot be read, while a file is written, is named itself."""
    with pytest.raises(FileNotFoundError) as told, replacing(tmp_path / "new"):
        (tmp_path / "source").read_bytes()
    assert told.value.filename == str(tmp_path / "source")


def test_a_log_is_not_appended_to_through_a_link(tmp_path: Path) -> None:
    """A link or a pipe in place of a log or of evidence is refused, and its target unchanged."""
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "log").symlink_to("victim")
    os.mkfifo(tmp_path / "pipe")
    for name, kind in (("log", "symbolic link"), ("pipe", "pipe")):
        with pytest.raises(OSError, match=f"expected a regular file, found a {kind}"):
            AppendOnlyFile(tmp_path / name, os.O_TRUNC)
    assert (tmp_path / "victim").read_text() == "kept"


@pytest.mark.parametrize("path", ["spring/a", "/spring/a", "../a", "."])
def test_no_search_for_links_goes_on_for_ever(path: str) -> None:
    """A path outside the folder is an error, which no caller makes."""
    with pytest.raises(ValueError, match=f"{path}: expected a path in autumn"):
        refuse_links(Path(path), Path("autumn"))


@pytest.mark.parametrize("writing", [replacing, replacing_folder])
def test_an_error_names_the_path_that_the_user_knows(writing: Any, tmp_path: Path) -> None:
    """Not the temporary one beside it."""
    path = tmp_path / "file" / "new"
    path.parent.write_text("")
    with pytest.raises(NotADirectoryError) as raised, writing(path):
        pass
    assert raised.value.filename == str(path)


def test_an_empty_folder_is_replaced_on_windows_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder takes the place of an empty one, but of no other, where renaming replaces none."""
    (tmp_path / "full" / "inner").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    rename = Path.rename

    def on_windows(self: Path, target: Path) -> Path:
        if target.exists():
            raise FileExistsError(17, "it exists already", str(self), None, str(target))
        return rename(self, target)

    monkeypatch.setattr(files, "IS_WINDOWS", True)
    monkeypatch.setattr(Path, "rename", on_windows)
    for name in ("empty", "new"):
        with replacing_folder(tmp_path / name) as folder:
            (folder / "file").write_text(name)
    with pytest.raises(OSError, match="full"), replacing_folder(tmp_path / "full"):
        pass
    assert {path.name for path in tmp_path.rglob("*")} == {"empty", "new", "file", "full", "inner"}
