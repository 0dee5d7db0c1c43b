"""Read the files of bots: regular files only, of bounded size, and none outside a given folder.

A folder that somebody submitted may hold anything: links to files of the organiser, pipes, devices,
files without end. Whatever is found in a folder is opened from that folder downwards without
following a link, so that it lies inside, whatever changes meanwhile. Hard links cannot be told from
files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from referee.bot import BotFile
from referee.errors import BotsError
from schema.files import KINDS

MOST_FILES, MOST_BYTES = 500, 16 << 20
"""Files, and their bytes, that a bot may have: they are copied for each match or decision."""

_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
"""Opening a pipe or a terminal neither waits nor takes it over."""


def kind(path: Path) -> str:
    """What is at ``path``, links followed: "file", "a folder", "a pipe" …; "" if nothing is."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return ""
    return _kind(mode)


def _kind(mode: int) -> str:
    return "file" if stat.S_ISREG(mode) else KINDS.get(stat.S_IFMT(mode), "something else")


def _check_kind(path: Path, kind: str) -> None:
    if kind != "file":
        raise BotsError(f"{path}: expected a file, found {kind}.")


def is_there(path: Path) -> bool:
    """Whether there is something at ``path``, be it a link that leads nowhere."""
    return kind(path) != "" or path.is_symlink()


def real(path: Path) -> Path:
    """``path`` without links, as far as it exists."""
    return Path(os.path.realpath(path))


def inside(path: Path, within: Path) -> Path:
    """``path`` without links. Raises BotsError when it leads out of ``within``, a real folder."""
    target = real(path)
    if not target.is_relative_to(within):
        raise BotsError(
            f"{path}: leads out of {within}, to {target}. What is found in a folder may only name "
            "what is in that folder."
        )
    return target


def read(path: Path, within: Path | None = None, most: int = MOST_BYTES) -> BotFile:
    """The file at ``path``; in the folder ``within``, which is :func:`real`, if there is one.

    Raises BotsError for what leads out of that folder, is no regular file, has more than ``most``
    bytes, or cannot be read.
    """
    target = None if within is None else inside(path, within)
    _check_kind(path, kind(path) or "file")
    try:
        with ExitStack() as stack:
            descriptor = _open(path, target, stack)
            status = os.fstat(descriptor)
            _check_kind(path, _kind(status.st_mode))
            with open(descriptor, "rb", closefd=False) as file:
                content = file.read(most + 1)
    except OSError as error:
        raise BotsError(f"{path}: cannot be read: {error.strerror}.") from None
    if len(content) > most:
        raise BotsError(f"{path}: expected at most {most / (1 << 20):g} MiB, found more.")
    return BotFile(content, bool(status.st_mode & 0o111))


def read_folder(folder: Path) -> tuple[tuple[str, BotFile], ...]:
    """All files of a bot's folder, which is :func:`real`, with their paths in it, sorted.

    Raises BotsError that names what is neither a file nor a folder, what leads out of ``folder``,
    links to folders, and too many files or bytes.
    """
    files: dict[str, BotFile] = {}
    size = 0
    for path in _walk(folder):
        file = files[str(path.relative_to(folder))] = read(path, folder)
        size += len(file.content)
        check_size(str(folder), len(files), size)
    return tuple(sorted(files.items()))


def check_size(who: str, files: int, size: int) -> None:
    """Raises BotsError for more files or bytes than a bot may have."""
    if files > MOST_FILES or size > MOST_BYTES:
        raise BotsError(
            f"{who}: expected at most {MOST_FILES} files and {MOST_BYTES >> 20} MiB, found at "
            f"least {files} files and {size / (1 << 20):.1f} MiB."
        )


def _walk(folder: Path) -> Iterator[Path]:
    """All that lies in ``folder``, at any depth, but for folders."""
    folders = [folder]
    for nth, at in enumerate(folders):
        if nth > MOST_FILES:
            raise BotsError(f"{folder}: expected at most {MOST_FILES} folders, found more.")
        for path in sorted(entries(at)):
            found = kind(path)
            if found != "a folder":
                yield path
                continue
            inside(path, folder)
            if path.is_symlink():
                raise BotsError(f"{path}: expected no link to a folder in a bot's folder.")
            folders.append(path)


def entries(folder: Path) -> Sequence[Path]:
    """What is in a folder, links and all. Raises BotsError when it cannot be read."""
    try:
        return list(folder.iterdir())
    except OSError as error:
        raise BotsError(f"{folder}: cannot be read: {error.strerror}.") from None


def _open(path: Path, target: Path | None, stack: ExitStack) -> int:
    """A descriptor of the file, closed with ``stack``. Raises OSError.

    With a ``target``, which has no links, that is opened part by part, and no link is followed.
    """
    if target is None:
        return _opened(str(path), _OPEN, None, stack)
    at = None
    for folder in (target.anchor, *target.parts[1:-1]):
        at = _opened(folder, os.O_PATH | os.O_DIRECTORY | _NO_LINK, at, stack)
    return _opened(target.name, _OPEN | os.O_NOFOLLOW, at, stack)


def _opened(name: str, flags: int, at: int | None, stack: ExitStack) -> int:
    descriptor = os.open(name, flags, dir_fd=at)
    stack.callback(os.close, descriptor)
    return descriptor
