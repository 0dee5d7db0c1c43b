"""Files that others can prepare: no pipe delays a reader, and no link redirects a writer."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schema import files
from schema.bundle import Bundle, Member
from schema.errors import UsageError
from schema.files import (
    ZeroBytes,
    exists,
    first_line,
    is_inside,
    last_line,
    make_folder,
    making,
    open_descriptor,
    open_regular,
    refuse_links,
    rename_new,
    replacing,
    replacing_folder,
    require_folder_of,
    sha256_of,
    sync,
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
    for path, kind, number in (
        (tmp_path / "pipe", "a pipe", errno.EINVAL),
        (tmp_path / "zero", "a device", errno.EINVAL),
        (tmp_path, "a folder", errno.EISDIR),
    ):
        with pytest.raises(OSError, match=f"expected a regular file, found {kind}") as error:
            read(path)
        assert (error.value.filename, error.value.errno) == (str(path), number)


def test_what_cannot_be_opened_keeps_its_error(tmp_path: Path) -> None:
    """Only a link in place of the file is said to be one, if none may be followed."""
    (tmp_path / "dangling").symlink_to("gone")
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "dangling")
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_NOFOLLOW):
        with pytest.raises(OSError, match="found a symbolic link"):
            open_descriptor(tmp_path / "circle", flags)
        with pytest.raises(OSError, match="Too many levels of symbolic links"):
            open_descriptor(tmp_path / "circle" / "file", flags)


def test_a_folder_in_place_of_a_file_on_windows(tmp_path: Path) -> None:
    """Windows refuses to open a folder, as it does a file without permission."""
    (tmp_path / "file").touch()
    refused = PermissionError(errno.EACCES, "Permission denied")
    with patch.object(files, "IS_WINDOWS", True), patch.object(os, "open", side_effect=refused):
        with pytest.raises(IsADirectoryError, match="found a folder"):
            open_regular(tmp_path)
        with pytest.raises(PermissionError):
            open_regular(tmp_path / "file")


def test_a_file_is_read_in_pieces(tmp_path: Path) -> None:
    """The hash covers the whole file, and a first line is read up to the maximum of a line."""
    (tmp_path / "log").write_bytes(b"x" * 25 + b"\nmore")
    with patch.object(files, "CHUNK", 7), patch.object(files, "LINE_BYTES", 20):
        assert sha256_of(tmp_path / "log").hex() == hex_digest(b"x" * 25 + b"\nmore")
        assert first_line(tmp_path / "log") == b"x" * 20


def test_a_file_with_zero_bytes_has_no_hash(tmp_path: Path) -> None:
    """No log contains a zero byte, and a file with a hole would take hours."""
    (tmp_path / "log").write_bytes(b"{}\n\0")
    with pytest.raises(ZeroBytes, match="expected a log, found a file with zero bytes") as error:
        sha256_of(tmp_path / "log")
    assert error.value.filename == str(tmp_path / "log")


@given(st.text("ab\n", max_size=12), st.integers(1, 14))
@example("\nab\n", 4)
@example("\n\n", 1)
def test_the_last_line_of_a_file(text: str, most: int) -> None:
    """It comes with its LF, and without its beginning if it is too long."""
    lines = text.encode().splitlines(keepends=True)
    assert last_line(BytesIO(text.encode()), most) == (lines[-1][-most:] if lines else b"")


def test_whether_a_path_exists(tmp_path: Path) -> None:
    """A link in a circle and a path through a file lead nowhere; a system that fails says so."""
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "file").write_text("")
    assert exists(tmp_path / "file")
    assert not any(exists(tmp_path / name) for name in ("gone", "circle", "file/inner"))
    with pytest.raises(OSError, match="name too long"):
        exists(tmp_path / ("x" * 300))


def test_a_path_is_inside_a_folder_through_links(tmp_path: Path) -> None:
    """Links count as what they lead to, and a folder that begins with the same name is another."""
    (tmp_path / "site").mkdir()
    (tmp_path / "link").symlink_to("site")
    for name in ("site", "site/new", "link", "link/new/page"):
        assert is_inside(tmp_path / name, tmp_path / "site")
        assert is_inside(tmp_path / name, tmp_path / "link")
    for name in ("site-2", "site/../new", "link/../new"):
        assert not is_inside(tmp_path / name, tmp_path / "site")


def test_a_folder_is_made_once_with_those_around_it(tmp_path: Path) -> None:
    """A folder that exists stays; a file in its place, or a folder of others, is refused."""
    for _ in range(2):
        make_folder(tmp_path / "site" / "pages")
    (tmp_path / "site" / "file").write_text("")
    with pytest.raises(UsageError, match="file: cannot be made: File exists"):
        make_folder(tmp_path / "site" / "file")
    with patch.object(os, "access", return_value=False):  # root may write every folder
        with pytest.raises(UsageError, match="pages: this folder cannot be written"):
            make_folder(tmp_path / "site" / "pages")
        with pytest.raises(
            UsageError, match=r"\\x1b: cannot be made: its folder cannot be written"
        ):
            require_folder_of(tmp_path / "\x1b")
    with pytest.raises(UsageError, match=r"\\x1b: there is no such folder"):
        require_folder_of(tmp_path / "\x1b" / "log")
    require_folder_of(tmp_path / "log")


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
        with pytest.raises(FileExistsError) as told:
            write_new(tmp_path / "new", b"newer")
    assert told.value.filename == str(tmp_path / "new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_a_new_file_on_windows(tmp_path: Path) -> None:
    """Renaming replaces nothing there, and needs no hard links."""
    (tmp_path / "temporary").write_text("new")
    with patch.object(files, "IS_WINDOWS", True), patch.object(os, "link", side_effect=OSError):
        rename_new(tmp_path / "temporary", tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_link_in_place_of_a_temporary_file_is_not_followed(tmp_path: Path) -> None:
    """The new name is of the link itself, not of a file that it leads to."""
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "temporary").symlink_to("victim")
    rename_new(tmp_path / "temporary", tmp_path / "new")
    assert (tmp_path / "new").is_symlink()


def test_what_cannot_be_synced_is_an_error(tmp_path: Path) -> None:
    """A file that cannot be opened or synced is named; a folder need not be synced."""
    (tmp_path / "log").touch()
    for name in ("open", "fsync"):
        refused = PermissionError(errno.EACCES, "Permission denied")
        with patch.object(os, name, side_effect=refused):
            sync(tmp_path)
            with pytest.raises(PermissionError) as told:
                sync(tmp_path / "log")
        assert name == "open" or told.value.filename == str(tmp_path / "log")


def test_files_are_synced_on_windows_too(tmp_path: Path) -> None:
    """Windows syncs a file that is open for writing, and no folder."""
    modes: list[int] = []

    def fsync(descriptor: int) -> None:
        modes.append(fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE)

    (tmp_path / "log").touch()
    with patch.object(files, "IS_WINDOWS", True), patch.object(os, "fsync", fsync):
        sync(tmp_path)
        assert modes == []
        sync(tmp_path / "log")
        assert modes == [os.O_RDWR]


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


def test_a_disk_that_fails_during_a_write_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    """If bytes of a file cannot be written, the error names it, and nothing is left."""

    def open_for_reading(path: Path, flags: int) -> int:
        return os.open(path, os.O_RDONLY)

    with (
        patch.object(files, "open_descriptor", open_for_reading),
        pytest.raises(OSError, match="Bad file descriptor") as told,
    ):
        write_new(tmp_path / "new", b"new")
    assert told.value.filename == str(tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_a_write_that_fails_at_the_end_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    """Some file systems report a failed write when the file is closed: the error names it."""
    file = files.open_for_writing(tmp_path / "new")
    os.close(file.fileno())
    with pytest.raises(OSError, match="Bad file descriptor") as told:
        file.close()
    assert told.value.filename == str(tmp_path / "new")


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
def test_an_empty_file_that_cannot_be_closed_is_removed(
    error: BaseException, tmp_path: Path
) -> None:
    """If closing the temporary file fails, or is interrupted, nothing is left."""
    with patch.object(os, "close", side_effect=error), pytest.raises(type(error)):
        write_new(tmp_path / "new", b"new")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_interrupted_at_its_beginning_is_removed(tmp_path: Path) -> None:
    """If an interrupt comes as soon as the temporary folder is made, nothing is left."""
    mkdir = Path.mkdir

    def interrupted(path: Path) -> None:
        mkdir(path)
        raise KeyboardInterrupt

    with patch.object(Path, "mkdir", interrupted), pytest.raises(KeyboardInterrupt):
        replacing_folder(tmp_path / "new").__enter__()
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_told_for_the_working_folder() -> None:
    """The working folder, whose path has no name, is named like any other path."""
    for name in (None, ".koth-0.tmp/log"):
        with pytest.raises(OSError, match="No space") as told, files.naming(Path()):
            raise OSError(errno.ENOSPC, "No space left on device", name)
        assert told.value.filename == "."


@pytest.mark.parametrize("read", [lambda file: file.readline(), lambda file: file.read()])
def test_an_error_of_reading_names_the_file(read: Callable[[IO[bytes]], bytes]) -> None:
    """If a disk fails while a file is read, the error has the file's name."""
    path = Path("/proc/self/mem")  # it cannot be read at its beginning
    with open_regular(path) as file, pytest.raises(OSError, match="Input/output") as told:
        read(file)
    assert told.value.filename == str(path)


def test_an_error_about_an_open_file_names_it(tmp_path: Path) -> None:
    """If a file server fails after a file was opened, the error has the file's name."""
    (path := tmp_path / "log").touch()
    gone = OSError(errno.ESTALE, os.strerror(errno.ESTALE))
    with patch("os.fstat", side_effect=gone), pytest.raises(OSError, match="Stale") as told:
        open_regular(path)
    assert told.value.filename == str(path)


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.ENOSPC])
def test_a_system_that_fails_is_no_wrong_usage(number: int, tmp_path: Path) -> None:
    """An error about the disk or the system, where something is made, keeps its kind."""
    with pytest.raises(OSError, match=os.strerror(number)) as told, making(tmp_path / "new"):
        raise OSError(number, os.strerror(number))
    assert told.value.filename == str(tmp_path / "new")


def test_an_error_of_another_file_keeps_its_name(tmp_path: Path) -> None:
    """A source that cannot be read, while a file is written, is named itself, or not at all."""
    with pytest.raises(FileNotFoundError) as told, replacing(tmp_path / "new"):
        (tmp_path / "source").read_bytes()
    assert told.value.filename == str(tmp_path / "source")
    for number, name in (errno.ENOSPC, "other"), (errno.EIO, None):
        with pytest.raises(OSError, match=r"space|output") as raised, replacing(tmp_path / "new"):
            raise OSError(number, os.strerror(number), name)
        assert raised.value.filename == name


def test_what_replaces_a_path_is_on_the_disk_first(tmp_path: Path) -> None:
    """After a crash the path has the old content or all of the new one, and keeps its name."""
    synced: list[tuple[str, bool]] = []

    def note(path: Path) -> None:
        name = ".".join(part for part in path.relative_to(tmp_path).parts if ".koth-" not in part)
        synced.append((name, new.exists()))

    with patch.object(files, "sync", note):
        new = tmp_path / "file"
        write_new(new, b"new")
        assert synced == [("", False), ("", True)]
        synced.clear()
        new = tmp_path / "folder"
        with replacing_folder(new) as folder:
            (folder / "inner").mkdir()
            (folder / "inner" / "log").write_bytes(b"new")
    *inner, last = synced
    assert sorted(inner) == [("", False), ("inner", False), ("inner.log", False)]
    assert last == ("", True)


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


def test_a_bundle_has_no_links() -> None:
    """A path in a bundle is in no folder of the disk, and is no link."""
    refuse_links(Member(Bundle(Path("cup.jsonl.zst")), PurePosixPath("matches/a.jsonl")), Path())


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
