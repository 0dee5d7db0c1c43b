"""Logs that are read elsewhere: they travel as bytes, unless they lie in a shared folder."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any, Literal

from schema.bundle import Bundle, Member
from schema.discovery import TOURNAMENT, home
from schema.errors import KothError, LogError
from schema.executor import A, B, Mapper
from schema.files import first_line, open_regular

if TYPE_CHECKING:
    from koth.cluster.batches import Batches

IMPORTED = b'"source":"imported"'


class NotSeen(KothError):
    """A worker does not see the files that the client sees."""


@dataclass(frozen=True)
class SharedFile:
    """A file in a shared folder, and what tells that another machine sees the same."""

    place: Path | Member
    size: int
    changed: int
    """In seconds."""

    @classmethod
    def at(cls, place: Path | Member) -> SharedFile:
        """What this machine sees there. Raises OSError."""
        told = _on_disk(place).stat()
        return cls(place, told.st_size, int(told.st_mtime))

    def open(self) -> IO[bytes]:
        """The file. Raises NotSeen where it is another one, or none."""
        with suppress(OSError):
            if SharedFile.at(self.place) == self:
                return self.place.open("rb")
        raise NotSeen(f"{self.place}: a worker does not see this file as it is. Is it shared?")


@dataclass(frozen=True)
class Parcel:
    """A log on its way, named as on the machine that it comes from."""

    path: PurePath
    files: Mapping[PurePath, bytes | SharedFile | Exception] = field(compare=False, repr=False)
    """The log, and what belongs to it: contents, where they lie, or why they cannot be read."""

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        """The last part."""
        return self.path.name

    @property
    def parent(self) -> Parcel:
        """The folder that it lies in."""
        return replace(self, path=self.path.parent)

    def __truediv__(self, name: str) -> Parcel:
        return replace(self, path=self.path / name)

    def exists(self) -> bool:
        """Whether it has come along."""
        return self.path in self.files or self.is_dir()

    def is_dir(self) -> bool:
        """Whether something has come along that lies in there."""
        return any(self.path in path.parents for path in self.files)

    def open(self, mode: Literal["rb"]) -> IO[bytes]:
        """The file, to be read from its beginning."""
        found = self.files.get(self.path, FileNotFoundError(2, "No such file", str(self)))
        if isinstance(found, Exception):
            raise found
        return BytesIO(found) if isinstance(found, bytes) else found.open()

    def read_bytes(self) -> bytes:
        """All of the file."""
        with self.open("rb") as file:
            return file.read()


def reading(batches: Batches, shared: Path | None) -> Mapper:
    """A mapper of logs, or of what has one as its ``path``."""

    def packed(item: Any) -> Any:
        if isinstance(item, Path | Member):
            return parcel(item, shared)
        return replace(item, path=parcel(item.path, shared))

    def each(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
        with closing(batches(function, map(packed, items))) as done:
            for results in done:
                yield from results

    return each


def parcel(place: Path | Member, shared: Path | None) -> Parcel:
    """The log at ``place``, as it travels; whatever cannot be read is told where it is opened."""
    path = PurePath(str(place))
    beside = home(Parcel(path, {})) / TOURNAMENT
    files: dict[PurePath, bytes | SharedFile | Exception] = {}
    try:
        if shared and _on_disk(there := _resolved(place)).is_relative_to(shared):
            files[path] = SharedFile.at(there)
            with suppress(OSError):
                files.setdefault(beside.path, SharedFile.at(home(there) / TOURNAMENT))
            return Parcel(path, files)
        with open_regular(place) as log:
            content = log.read()
        files[path] = content
        if IMPORTED in content.partition(b"\n")[0] and beside.path != path:
            # Whether the tournament committed to a seed, is in its first line.
            with suppress(OSError, LogError):
                files[beside.path] = first_line(home(place) / TOURNAMENT)
        return Parcel(path, files)
    except (OSError, LogError) as error:
        return Parcel(path, {path: error})


def _on_disk(place: Path | Member) -> Path:
    return place.bundle.path if isinstance(place, Member) else place


def _resolved(place: Path | Member) -> Path | Member:
    """The same file by a name that leads through no link."""
    disk = _on_disk(place)
    there = disk.parent.resolve() / disk.name
    return Member(Bundle(there), place.inner) if isinstance(place, Member) else there
