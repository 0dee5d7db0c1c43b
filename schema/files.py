"""Read and write files safely in folders to which other people can write.

Reading opens regular files only: a pipe could block a command, and a device could be endless.
Writing makes a new file under a random name, syncs it, and renames it. So nobody can prepare a link
under that name, and nobody sees a part of a file.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest, sha256
from io import BufferedReader, BufferedWriter
from pathlib import Path
from secrets import token_hex
from typing import IO

from schema.errors import UsageError
from schema.log_path import LogPath, printable
from schema.named_file import NamedFile
from schema.system_errors import FULL, SYSTEM

LINE_BYTES = 8 << 20
"""Maximum bytes of one line of a log with its LF; about a hundred times the longest in use."""

CHUNK = 1 << 20

IS_WINDOWS = sys.platform == "win32"

if sys.platform == "win32":
    import msvcrt

    SAFELY = os.O_BINARY | os.O_NOINHERIT
    """Flags of every ``os.open``."""
    NO_LINK = 0
    """The flag that refuses a link; Windows has none."""
    NOT_BLOCKING = 0
    """The flags with which opening a pipe or a terminal does nothing."""
else:
    import fcntl

    SAFELY = os.O_CLOEXEC
    """Flags of every ``os.open``."""
    NO_LINK = os.O_NOFOLLOW
    """The flag that refuses a link."""
    NOT_BLOCKING = os.O_NONBLOCK | os.O_NOCTTY
    """The flags with which opening a pipe or a terminal does nothing."""

LOCKED_BYTE = 1 << 40
"""The byte that is locked on Windows, beyond the end of any log: nobody else can read it."""

TEMPORARY = ".koth-"
"""The beginning of the names of temporary files."""

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""Names of files that are not regular, by their type (inode(7))."""


def open_regular(path: LogPath) -> IO[bytes]:
    """Open the file at ``path`` for reading. Raises OSError if it is not a regular file."""
    if not isinstance(path, Path):
        return path.open("rb")
    return BufferedReader(NamedFile(open_descriptor(path, os.O_RDONLY), path))


def open_for_writing(path: Path, *, new: bool = False) -> IO[bytes]:
    """Open an empty regular file at ``path`` for writing; with ``new``, one that did not exist.

    Its errors name ``path``. Raises OSError.
    """
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else os.O_TRUNC)
    return BufferedWriter(NamedFile(open_descriptor(path, flags), path, "w"))


def open_descriptor(path: Path, flags: int, mode: int = 0o666) -> int:
    """Open a regular file as ``os.open`` does, and return its descriptor; a pipe does not block.

    Raises OSError if it is not a regular file.
    """
    try:
        descriptor = os.open(path, flags | NOT_BLOCKING | SAFELY, mode)
    except OSError as error:
        if error.errno == errno.ELOOP and path.is_symlink():
            raise _not_regular(path, stat.S_IFLNK) from None
        if IS_WINDOWS and path.is_dir():
            raise _not_regular(path, stat.S_IFDIR) from None
        raise
    try:
        kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
    except OSError as error:  # such as a file server that does not answer
        os.close(descriptor)
        error.filename = str(path)
        raise
    if kind == stat.S_IFREG:
        return descriptor
    os.close(descriptor)
    raise _not_regular(path, kind)


def _not_regular(path: Path, kind: int) -> OSError:
    if kind == stat.S_IFDIR and not os.access(path, os.X_OK):  # whose files are not known
        return PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    number = errno.EISDIR if kind == stat.S_IFDIR else errno.EINVAL
    found = KINDS.get(kind, "something else")
    return OSError(number, f"expected a regular file, found {found}", str(path))


def exists(path: Path) -> bool:
    """Return whether ``path`` exists. Raises OSError if the system does not say.

    ``Path.exists`` returns False then since Python 3.14, such as in a folder without permission.
    """
    try:
        path.stat()
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            return False
        raise
    return True


def refuse_links(path: LogPath, inside: LogPath) -> None:
    """Raise OSError if ``path``, or a folder between it and ``inside``, is a link.

    Raises ValueError if ``path`` does not begin with ``inside``.
    """
    above = path
    while isinstance(above, Path) and above != inside:
        if above.is_symlink():
            raise OSError(errno.ELOOP, "expected no link, found one", str(above))
        if above == above.parent:
            raise ValueError(f"{path}: expected a path in {inside}")
        above = above.parent


def refuse_used(folder: Path, hint: str = "") -> None:
    """Raise UsageError, with ``hint`` at its end, unless ``folder`` is missing or empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        problem = "expected a new or an empty folder, found something in it."
        raise UsageError(f"{folder}: {problem}{hint}")


def refuse_working_folder(folder: Path) -> None:
    """Raise UsageError if ``folder``, which is to be replaced, is the working folder.

    A shell would be left in a removed folder.
    """
    if folder.exists() and folder.samefile(Path()):
        problem = "expected another folder than the working folder, which would be replaced"
        raise UsageError(f"{folder}: {problem}. Name a new folder.")


def is_inside(path: Path, folder: Path) -> bool:
    """Return whether ``path``, which need not exist, is in ``folder`` once links are followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def cache_folder() -> Path:
    """Return Koth's folder for files that it can make again (XDG Base Directory Specification).

    Raises UsageError for a user without a home folder.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "koth"
    except RuntimeError:
        problem = "expected a folder for the cache of a user without a home folder"
        raise UsageError(f"{problem}. Set XDG_CACHE_HOME or HOME.") from None


def first_line(path: LogPath) -> bytes:
    """Return the first line of a file, cut after LINE_BYTES. Raises OSError and LogError."""
    with open_regular(path) as file:
        return file.readline(LINE_BYTES)


class ZeroBytes(OSError):
    """Raised for a file with zero bytes, which may have a hole larger than every disk."""


def sha256_of(path: LogPath) -> bytes:
    """Return the SHA-256 of a whole log. Raises OSError and LogError."""
    with open_regular(path) as file:
        return digest_of(file, path)


def file_hash(path: LogPath) -> str:
    """Return the SHA-256 of any regular file as hex digits. Raises OSError."""
    with open_regular(path) as file:
        return file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def digest_of(file: IO[bytes], path: LogPath, size: int | None = None) -> bytes:
    """Return the SHA-256 of the rest of the open log at ``path``, or of its next ``size`` bytes.

    Raises ZeroBytes for zero bytes, which no log contains.
    """
    digest = sha256()
    remaining = sys.maxsize if size is None else size
    while chunk := file.read(min(CHUNK, remaining)):
        if b"\0" in chunk:  # so that a file with a hole is not read to its end
            raise ZeroBytes(errno.EINVAL, "expected a log, found a file with zero bytes", str(path))
        digest.update(chunk)
        remaining -= len(chunk)
    return digest.digest()


def last_line(file: IO[bytes], most: int) -> bytes:
    """Return the last line of an open file with its LF, or its last ``most`` bytes if longer."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - most))
    tail = file.read(most)
    return tail[tail.rfind(b"\n", 0, -1) + 1 :]


def require_folder_of(path: Path) -> None:
    """Check that the folder exists in which ``path`` will be made. Raises UsageError."""
    if not path.parent.is_dir():
        raise UsageError(f"{printable(str(path.parent))}: there is no such folder.")
    if not _is_writable(path.parent):
        raise UsageError(f"{printable(str(path))}: cannot be made: its folder cannot be written.")


def make_folder(path: Path) -> None:
    """Make a folder unless it exists. Raises UsageError if it cannot be made or written."""
    with making(path):
        path.mkdir(parents=True, exist_ok=True)
    if not _is_writable(path):
        raise UsageError(f"{path}: this folder cannot be written.")


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)


@contextmanager
def making(path: Path, problem: str = "cannot be made") -> Iterator[None]:
    """Raise UsageError that names ``path``, which the block makes, for an OSError of the block.

    A disk that is full or fails, and a lack of resources, stay an OSError: no wrong usage.
    """
    try:
        yield
    except OSError as error:
        if error.errno in FULL + SYSTEM:
            error.filename = str(path)
            raise
        raise UsageError(f"{path}: {problem}: {error.strerror}.") from None


def temporary_beside(path: Path) -> Path:
    """Return a new path beside ``path``, for what will be renamed to it."""
    return path.with_name(f"{TEMPORARY}{token_hex(8)}.tmp")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name ``path`` in an OSError of the block that names a temporary file beside it or in it.

    A full disk names no file; nor does an error of reading, which keeps its words.
    """
    try:
        yield
    except OSError as error:
        places = (str(path.parent / TEMPORARY), str(path / TEMPORARY))
        if str(error.filename).startswith(places) or (
            error.filename is None and error.errno in FULL
        ):
            error.filename = str(path)
        raise


@contextmanager
def replacing(path: Path, mode: int = 0o666, *, new: bool = False) -> Iterator[Path]:
    """Make an empty file beside ``path``, and rename it to ``path`` unless the block raises.

    With ``new``, a file at ``path`` is never replaced. Raises OSError.
    """
    temporary = temporary_beside(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | SAFELY
    with naming(path):
        try:
            os.close(os.open(temporary, flags, mode))
            yield temporary
            sync(temporary)
            if new:
                rename_new(temporary, path)
            else:
                temporary.replace(path)
            sync(path.parent)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Make an empty folder beside ``path``, and rename it to ``path`` unless the block raises.

    A folder at ``path`` must be empty. Raises OSError.
    """
    temporary = temporary_beside(path)
    with naming(path):
        try:
            temporary.mkdir()
            yield temporary
            for inner in (*temporary.rglob("*"), temporary):
                sync(inner)
            if IS_WINDOWS and path.is_dir():
                path.rmdir()  # Windows renames no folder to an empty one
            temporary.rename(path)
            sync(path.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def write_new(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a new file, whole or not at all.

    Raises FileExistsError if ``path`` exists, and OSError.
    """
    with replacing(path, mode, new=True) as temporary:
        write_file(temporary, content)


def write_file(path: Path, content: bytes) -> None:
    """Write a file, whose old content is lost. Raises OSError, which names it."""
    with open_for_writing(path) as file:
        file.write(content)


def rename_new(temporary: Path, path: Path) -> None:
    """Rename a file without replacing another: by a hard link, on file systems that have them.

    The old name may stay. Raises FileExistsError if ``path`` exists, and OSError.
    """
    if IS_WINDOWS:
        temporary.rename(path)  # it never replaces there
        return
    try:
        os.link(temporary, path, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "the path exists already", str(path)) from None
        temporary.replace(path)


def sync(path: Path) -> None:
    """Wait until a file, or the list of files in a folder, is on the disk."""
    if IS_WINDOWS and path.is_dir():
        return  # Windows cannot sync a folder, and a file only if it is open for writing
    try:
        descriptor = os.open(path, (os.O_RDWR if IS_WINDOWS else os.O_RDONLY) | SAFELY)
    except PermissionError:
        if not path.is_dir():  # some folders may be written but not read
            raise
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if not path.is_dir():  # some file systems cannot sync a folder
            error.filename = str(path)
            raise
    finally:
        os.close(descriptor)


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed. Return False if another process has locked it."""
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
