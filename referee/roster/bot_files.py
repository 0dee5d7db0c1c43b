"""Read the files of bots: regular files of limited size, none of them outside a given folder.

A submitted folder may contain anything: links to files of the organiser, pipes, devices, endless
files. Files in it are opened part by part without following links. So they are inside the folder
even if it changes meanwhile. Hard links cannot be detected.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from referee.bot import BotFile
from referee.errors import BotsError
from schema.files import KINDS, NO_LINK, NOT_BLOCKING, SAFELY, open_regular
from schema.seal import MAX_BOT_BYTES
from schema.system_errors import raise_system_error

MAX_FILES, MAX_BYTES = 500, MAX_BOT_BYTES
"""Maximum files of a bot, and their bytes; they are copied for each match or decision."""

_OPEN = os.O_RDONLY | NOT_BLOCKING | SAFELY


def kind(path: Path) -> str:
    """Return the kind of object at ``path``, after links: "file", "a folder", "a pipe" … or ""."""
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


def exists(path: Path) -> bool:
    """Return whether ``path`` exists, if only as a broken link."""
    return kind(path) != "" or path.is_symlink()


def real(path: Path) -> Path:
    """Return ``path`` with all links resolved."""
    return Path(os.path.realpath(path))


def inside(path: Path, within: Path) -> Path:
    """Return ``path`` with all links resolved.

    Raises BotsError if it leads out of ``within``, which has no links.
    """
    target = real(path)
    if not target.is_relative_to(within):
        raise BotsError(
            f"{path}: leads out of {within}, to {target}. What is found in a folder may only name "
            "what is in that folder."
        )
    return target


def read(path: Path, within: Path | None = None, most: int = MAX_BYTES) -> BotFile:
    """Read the file at ``path``.

    Raises BotsError if it leads out of the folder ``within``, which is :func:`real`, or cannot be
    read, and for anything but a regular file of at most ``most`` bytes.
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
        error.filename = str(path)
        raise_system_error(error)
        raise BotsError(f"{path}: cannot be read: {error.strerror}.") from None
    if len(content) > most:
        raise BotsError(f"{path}: expected at most {most / (1 << 20):g} MiB, found more.")
    return BotFile(content, bool(status.st_mode & 0o111))


def names_interpreter(path: Path) -> bool:
    """Return whether a file begins with ``#!``. Raises BotsError if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(2) == b"#!"
    except OSError as error:
        raise_system_error(error)
        raise BotsError(f"{path}: cannot be read: {error.strerror}.") from None


def read_folder(folder: Path) -> tuple[tuple[str, BotFile], ...]:
    """Read all files of a bot's folder, which is :func:`real`, with their paths in it, sorted.

    Raises BotsError for links out of ``folder``, links to folders, objects that are neither file
    nor folder, and too many files or bytes.
    """
    files: dict[str, BotFile] = {}
    size = 0
    for path in _walk(folder):
        file = files[path.relative_to(folder).as_posix()] = read(path, folder)
        size += len(file.content)
        check_size(str(folder), len(files), size)
    return tuple(sorted(files.items()))


def check_size(bot: str, files: int, size: int) -> None:
    """Raise BotsError if a bot has too many files or bytes."""
    if files > MAX_FILES or size > MAX_BYTES:
        raise BotsError(
            f"{bot}: expected at most {MAX_FILES} files and {MAX_BYTES >> 20} MiB, found at "
            f"least {files} files and {size / (1 << 20):.1f} MiB."
        )


def _walk(folder: Path) -> Iterator[Path]:
    """Yield everything in ``folder`` at any depth, except folders."""
    remedy = f"All of {folder} is the bot: move out what it does not need, such as a .venv."
    folders = [folder]
    for number, parent in enumerate(folders):
        if number > MAX_FILES:
            raise BotsError(f"{folder}: expected at most {MAX_FILES} folders, found more. {remedy}")
        for path in sorted(entries(parent)):
            if kind(path) != "a folder":
                yield path
                continue
            inside(path, folder)
            if path.is_symlink():
                raise BotsError(f"{path}: expected no link to a folder in a bot's folder. {remedy}")
            folders.append(path)


def entries(folder: Path) -> Sequence[Path]:
    """Return the paths in a folder. Raises BotsError if it cannot be read."""
    try:
        return list(folder.iterdir())
    except OSError as error:
        raise_system_error(error)
        raise BotsError(f"{folder}: cannot be read: {error.strerror}.") from None


def _open(path: Path, target: Path | None, stack: ExitStack) -> int:
    """Open the file until ``stack`` closes. Raises OSError.

    A ``target``, which has no links, is opened part by part without following links, on Linux,
    where bots run.
    """
    if target is None or sys.platform != "linux":
        return _open_in(None, str(path), _OPEN, stack)
    parent = None
    for folder in (target.anchor, *target.parts[1:-1]):
        parent = _open_in(parent, folder, os.O_PATH | os.O_DIRECTORY | NO_LINK | SAFELY, stack)
    return _open_in(parent, target.name, _OPEN | NO_LINK, stack)


def _open_in(parent: int | None, name: str, flags: int, stack: ExitStack) -> int:
    descriptor = os.open(name, flags, dir_fd=parent)
    stack.callback(os.close, descriptor)
    return descriptor
