"""Scratch folders: made fresh, and removed whatever a bot did to them.

They are made in memory where the system has room for that and TMPDIR names no other place: on a
disk, to forget a folder can take longer than a decision. A lock on each folder lasts as long as the
process that made it, so that a later process can remove what a killed one left.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from referee.errors import RefereeError
from referee.processes import limits
from referee.processes.process import check_means

MEMORY = "/dev/shm"
ROOM = 1 << 30
"""Bytes that must be free there."""

FILES = 1000
"""Files that a bot must be able to make, as far as the file system counts them."""

PREFIX = "koth-scratch-"

OPENED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def place() -> str:
    """The folder in which scratch folders are made."""
    usual = tempfile.gettempdir()
    if usual == "/tmp" and os.access(MEMORY, os.W_OK):
        status = os.statvfs(MEMORY)
        if status.f_bavail * status.f_frsize >= ROOM and not status.f_flag & os.ST_NOEXEC:
            return MEMORY
    return usual


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder under a name that nobody can guess, removed at the end of the block.

    Raises RefereeError when it cannot be made.
    """
    where = place()
    clean(where)
    with writing(where):
        path, lock = _locked(where)
    try:
        yield path
    finally:
        os.close(lock)  # where descriptors are scarce, the removal needs one
        try:
            remove(path)
        except BaseException:  # an interrupt, in the middle of it
            remove(path)
            raise


def _locked(where: str) -> tuple[Path, int]:
    """Make a folder, which gets the name of a scratch folder once it is locked."""
    new = Path(tempfile.mkdtemp(prefix=".koth-", dir=where))
    lock = os.open(new, OPENED)
    try:
        _lock(lock)
        return new.rename(new.with_name(PREFIX + new.name.removeprefix(".koth-"))), lock
    except BaseException:
        os.close(lock)
        raise


@cache
def clean(where: str) -> None:
    """Remove the scratch folders of processes of this user that were killed; done once."""
    with suppress(OSError):
        for entry in list(os.scandir(where)):
            if entry.name.startswith(PREFIX):
                _remove_stale(Path(entry.path))


def _remove_stale(path: Path) -> None:
    with suppress(OSError), held(path) as descriptor:
        if os.fstat(descriptor).st_uid == os.geteuid() and _lock(descriptor):
            remove(path)


def _lock(descriptor: int) -> bool:
    """Lock a file until its descriptor is closed, here and in forks. Return whether that worked."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # somebody else has locked it, or the file system has no locks
        return False
    return True


@contextmanager
def writing(where: Path | str) -> Iterator[None]:
    """Raises RefereeError where files for bots cannot be written."""
    try:
        yield
    except OSError as error:
        check_means(error, str(where))
        raise RefereeError(
            f"{where}: no files for bots can be written: {error.strerror}."
        ) from error


def check_room(home: Path) -> None:
    """Raises RefereeError when a bot lacks room in its folder, through no fault of its own.

    It may write as much as in a sandbox; what its folder holds already counts.
    """
    try:
        status = os.statvfs(home)
    except OSError:  # its bot has removed it, or closed it off
        status = os.statvfs(place())
    size, files = status.f_bavail * status.f_frsize, status.f_favail
    if size >= limits.SCRATCH and (files >= FILES or not status.f_files):
        return
    try:
        for path in home.rglob("*"):
            with suppress(OSError):
                size, files = size + path.lstat().st_blocks * 512, files + 1
    except RecursionError:
        return  # nobody else makes so many folders
    if size < limits.SCRATCH or (files < FILES and status.f_files):
        raise RefereeError(
            f"{home.parent.parent}: expected room for {limits.SCRATCH >> 20} MiB and {FILES} files "
            f"of each bot, found {size >> 20} MiB and {files} files for {home.name}. Make room, or "
            "name another folder in the environment variable TMPDIR."
        )


@contextmanager
def held(path: Path) -> Iterator[int]:
    """A folder, open: whatever takes its place, this is still the one."""
    descriptor = os.open(path, OPENED)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def make(name: str, descriptor: int) -> int:
    """Make a folder in an open one, and open it. Raises OSError if there is anything already."""
    os.mkdir(name, dir_fd=descriptor)
    return os.open(name, OPENED, dir_fd=descriptor)


def empty(descriptor: int) -> None:
    """Remove what is in an open folder."""
    with suppress(OSError):
        os.fchmod(descriptor, 0o700)
    for name in os.listdir(descriptor):
        try:
            os.unlink(name, dir_fd=descriptor)
        except OSError:
            remove(Path(f"/proc/{os.getpid()}/fd/{descriptor}/{name}"))


def remove(path: Path) -> None:
    """Remove a folder with all that is in it; what cannot be removed stays, without an error.

    Folders nested too deeply for Python, or forbidden to their owner, are left to coreutils.
    """
    try:
        path.unlink() if path.is_symlink() else shutil.rmtree(path)
    except (OSError, RecursionError):
        with suppress(OSError):  # no process can be started; a later one removes it
            for command in ("chmod", "-R", "u+rwx"), ("rm", "-rf"):
                subprocess.run([*command, "--", path], stderr=subprocess.DEVNULL, check=False)
