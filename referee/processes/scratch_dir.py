"""Create scratch folders, and remove them with everything that a bot left in them.

They are created in memory if there is enough of it and TMPDIR names no other folder: on a disk,
removing a folder can take longer than a decision. The process that creates a folder holds a lock on
it. So a later process can remove the folders of a process that was killed.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from secrets import token_hex

from referee.environment import temporary_folder
from referee.errors import RefereeError, check_resources
from referee.kept_folder import kept_folder
from referee.processes import limits
from schema.discovery import everything_below
from schema.files import lock

MEMORY = "/dev/shm"
FREE = 1 << 30
"""Bytes that must be free in MEMORY."""

FILES = 1000
"""Number of files that a bot must be able to create, if the file system limits them."""

PREFIX = "koth-scratch-"

OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def parent() -> str:
    """Return the folder for scratch folders. Raises RefereeError if there is none."""
    usual = temporary_folder()
    if usual == "/tmp" and os.access(MEMORY, os.W_OK):
        status = os.statvfs(MEMORY)
        if status.f_bavail * status.f_frsize >= FREE and not status.f_flag & os.ST_NOEXEC:
            return MEMORY
    return usual


def starts_programs() -> bool:
    """Return whether a program in a scratch folder can start."""
    return not os.statvfs(parent()).f_flag & os.ST_NOEXEC


@contextmanager
def folder() -> Iterator[Path]:
    """Create a folder with an unguessable name, and remove it at the end of the block.

    Raises RefereeError if it cannot be created.
    """
    where = parent()
    clean(where)
    with writing(where):
        path, holder = _locked(where)
    try:
        yield path
    finally:
        os.close(holder)  # the removal needs a descriptor, and this may be the last
        try:
            remove(path)
        except BaseException:  # an interrupt during the removal
            remove(path)
            raise


def kept(path: Path) -> AbstractContextManager[Path]:
    """Keep the content of a folder until the next use: see :func:`kept_folder`."""
    return kept_folder(path, _emptied)


@contextmanager
def _emptied(path: Path) -> Iterator[bool]:
    """Lock and empty a folder. Yield False if another process has locked it."""
    with opened(path) as descriptor:
        if is_ours := lock(descriptor):
            empty(descriptor)
        yield is_ours


def _locked(where: str) -> tuple[Path, int]:
    """Create a folder, and return the descriptor that holds its lock, in forks too.

    It gets the name of a scratch folder after it is locked.
    """
    name, holder = token_hex(8), -1
    new, path = Path(where, f".koth-{name}"), Path(where, PREFIX + name)
    try:
        new.mkdir(0o700)  # tempfile.mkdtemp would leave it if it was interrupted
        holder = os.open(new, OPEN_FOLDER)
        with suppress(OSError):  # some file systems have no locks
            lock(holder)
        return new.rename(path), holder
    except BaseException:
        if holder >= 0:
            os.close(holder)
        for folder in new, path:
            with suppress(OSError):  # one of them does not exist
                folder.rmdir()
        raise


@cache
def clean(where: str) -> None:
    """Remove, once, the scratch folders that killed processes of this user left."""
    with suppress(OSError):
        for entry in list(os.scandir(where)):
            if entry.name.startswith(PREFIX):
                _remove_stale(Path(entry.path))


def _remove_stale(path: Path) -> None:
    with suppress(OSError), opened(path) as descriptor:
        if os.fstat(descriptor).st_uid == os.geteuid() and lock(descriptor):
            remove(path)


@contextmanager
def writing(where: Path | str) -> Iterator[None]:
    """Raise RefereeError if files for bots cannot be written in the block."""
    try:
        yield
    except OSError as error:
        check_resources(error, str(where))
        raise RefereeError(
            f"{where}: no files for bots can be written: {error.strerror}."
        ) from error


def check_space(home: Path) -> None:
    """Raise RefereeError if the file system has too little space for a bot's folder.

    A bot may write as much as in a sandbox; the files in its folder count as free space.
    """
    status = os.statvfs(home.parent.parent)  # the bot can replace its own folder
    size, files = status.f_bavail * status.f_frsize, status.f_favail
    if size >= limits.SCRATCH and (files >= FILES or not status.f_files):
        return
    try:
        for path in everything_below(home):
            with suppress(OSError):
                size, files = size + path.lstat().st_blocks * 512, files + 1
    except OSError:
        return  # only this bot can have nested folders so deeply, or closed them
    if size < limits.SCRATCH or (files < FILES and status.f_files):
        raise RefereeError(
            f"{home.parent.parent}: expected room for {limits.SCRATCH >> 20} MiB and {FILES} files "
            f"of each bot, found {size >> 20} MiB and {files} files for {home.name}. Make room, or "
            "name another folder in the environment variable TMPDIR."
        ) from OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # no bot's fault (NO_RESOURCES)


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Open a folder: the descriptor stays valid if another object takes its path."""
    descriptor = os.open(path, OPEN_FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def make(name: str, descriptor: int) -> int:
    """Create and open a folder in an open folder. Raises OSError if the name exists."""
    os.mkdir(name, dir_fd=descriptor)
    return os.open(name, OPEN_FOLDER, dir_fd=descriptor)


def empty(descriptor: int) -> None:
    """Remove the content of an open folder."""
    with suppress(OSError):
        os.fchmod(descriptor, 0o700)
    for name in os.listdir(descriptor):
        try:
            os.unlink(name, dir_fd=descriptor)
        except OSError:
            remove(Path(f"/proc/{os.getpid()}/fd/{descriptor}/{name}"))


def remove(path: Path) -> None:
    """Remove a folder and its content; what cannot be removed stays, without an error.

    coreutils remove folders that are nested too deeply for Python or closed to their owner.
    """
    try:
        path.unlink() if path.is_symlink() else shutil.rmtree(path)
    except (OSError, RecursionError):
        with suppress(OSError):  # no process can be started; a later referee removes it
            for command in ("chmod", "-R", "u+rwx"), ("rm", "-rf"):
                subprocess.run([*command, "--", path], stderr=subprocess.DEVNULL, check=False)
