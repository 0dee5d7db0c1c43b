"""Send logs to workers: as bytes, or as paths if they are in a shared folder."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from io import BytesIO
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any, Literal

from schema import executor
from schema.bundle import Bundle, Member
from schema.discovery import TOURNAMENT, home
from schema.errors import KothError, LogError
from schema.executor import A, B
from schema.files import first_line, open_regular

if TYPE_CHECKING:
    from koth.ordered_map import BatchMapper

IMPORTED = b'"source":"imported"'


class NotShared(KothError):
    """Raised when a worker does not see a shared file as the client sees it."""


@dataclass(frozen=True)
class SharedFile:
    """A file in a shared folder, with the size and time by which another machine recognizes it."""

    path: Path | Member
    size: int
    modified: int
    """Seconds since the epoch."""

    @classmethod
    def at(cls, path: Path | Member) -> SharedFile:
        """Return the file as this machine sees it. Raises OSError."""
        status = _on_disk(path).stat()
        return cls(path, status.st_size, int(status.st_mtime))

    def open(self) -> IO[bytes]:
        """Open the file. Raises NotShared if it is missing here or differs."""
        with suppress(OSError):
            if SharedFile.at(self.path) == self:
                return self.path.open("rb")
        raise NotShared(f"{self.path}: a worker does not see this file as it is. Is it shared?")


@dataclass(frozen=True)
class RemoteLog:
    """A log from another machine, with its path there; usable as a path for reading."""

    path: PurePath
    files: Mapping[PurePath, bytes | SharedFile | Exception] = field(compare=False, repr=False)
    """The log and related files: their content, their shared file, or the error on reading them."""

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.name

    @property
    def parent(self) -> RemoteLog:
        """The folder of this path."""
        return replace(self, path=self.path.parent)

    def __truediv__(self, name: str) -> RemoteLog:
        return replace(self, path=self.path / name)

    def exists(self) -> bool:
        """Whether this file or folder was sent."""
        return self.path in self.files or self.is_dir()

    def is_dir(self) -> bool:
        """Whether a file in this folder was sent."""
        return any(self.path in path.parents for path in self.files)

    def open(self, mode: Literal["rb"]) -> IO[bytes]:
        """Open the file for reading. Raises the error that the client met, or NotShared."""
        content = self.files.get(self.path, FileNotFoundError(2, "No such file", str(self)))
        if isinstance(content, Exception):
            raise content
        return BytesIO(content) if isinstance(content, bytes) else content.open()

    def read_bytes(self) -> bytes:
        """Return the content of the file. Raises like :meth:`open`."""
        with self.open("rb") as file:
            return file.read()


def mapper(batches: BatchMapper, shared: Path | None) -> executor.Mapper:
    """Return a mapper over logs, or over tasks with the attribute ``path``."""

    def map_logs(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
        remote_log = Sender(shared).remote_log

        def sendable(item: Any) -> Any:
            if isinstance(item, Path | Member):
                return remote_log(item)
            return replace(item, path=remote_log(item.path))

        with closing(batches(function, map(sendable, items))) as done:
            for results in done:
                yield from results

    return map_logs


def _on_disk(log: Path | Member) -> Path:
    return log.bundle.path if isinstance(log, Member) else log


class Sender:
    """Makes logs sendable; it looks at each of their folders once.

    ``shared`` is the folder whose files are not sent, by a path without links.
    """

    def __init__(self, shared: Path | None) -> None:
        self._shared = shared
        self._resolved = cache(self._resolve)
        self._tournament = cache(self._find_tournament)

    def remote_log(self, log: Path | Member) -> RemoteLog:
        """Return a log in sendable form; an error on reading it is raised at ``open``."""
        path = PurePath(str(log))
        try:
            if (resolved := self._in_shared(log)) is not None:
                files = {**self._tournament(log.parent), path: SharedFile.at(resolved)}
                return RemoteLog(path, files)
            return RemoteLog(path, _content(log, path))
        except (OSError, LogError) as error:
            return RemoteLog(path, {path: error})

    def _in_shared(self, log: Path | Member) -> Path | Member | None:
        """Return a log in the shared folder by a path without links in its folders, else None."""
        disk = _on_disk(log)
        folder = self._resolved(disk.parent)
        if folder is None:
            return None
        resolved = folder / disk.name
        return Member(Bundle(resolved), log.inner) if isinstance(log, Member) else resolved

    def _resolve(self, folder: Path) -> Path | None:
        """Return a folder on disk without links if it is in the shared one, else None."""
        if self._shared is None:
            return None
        resolved = folder.resolve()
        return resolved if resolved.is_relative_to(self._shared) else None

    def _find_tournament(self, folder: Path | Member) -> Mapping[PurePath, SharedFile | bytes]:
        """Return the log of the tournament of the logs in a folder, if there is one."""
        tournament = home(folder / "log") / TOURNAMENT
        with suppress(OSError, LogError):
            resolved = self._in_shared(tournament)
            content = first_line(tournament) if resolved is None else SharedFile.at(resolved)
            return {_tournament_of(PurePath(str(folder)) / "log"): content}
        return {}


def _content(log: Path | Member, path: PurePath) -> dict[PurePath, bytes]:
    """Return the bytes of a log that is sent, and what its verdict needs of its tournament."""
    with open_regular(log) as file:
        files = {path: file.read()}
    tournament = _tournament_of(path)
    if IMPORTED in files[path].partition(b"\n")[0] and tournament != path:
        # The tournament's first line shows whether it committed to a seed.
        with suppress(OSError, LogError):
            files[tournament] = first_line(home(log) / TOURNAMENT)
    return files


def _tournament_of(path: PurePath) -> PurePath:
    """Return the path of the tournament's log as a worker finds it from that of a match."""
    return (home(RemoteLog(path, {})) / TOURNAMENT).path
