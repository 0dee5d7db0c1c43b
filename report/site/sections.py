"""The sections of a site: one per tournament, each with its raw files and its folder.

A contest is a list of stages, which are tournaments, so each stage is a section too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from report.site.names import file_name, safe_path
from schema import discovery
from schema.bundle import SUFFIX
from schema.discovery import CHECKPOINT, EVIDENCE, MATCHES
from schema.errors import NothingToDo, UsageError
from schema.files import file_hash
from schema.log_path import LogPath, path_text
from schema.scan import read_log_bytes

SECTIONS = "tournaments"
"""The folder of the sections of a site with several."""


@dataclass(frozen=True)
class RawFile:
    """A file of a tournament that the site publishes as it is."""

    source: LogPath
    target: str
    """Its path below the folder ``logs`` of the section."""
    digest: str
    """SHA-256 of its content, in hex."""

    def read(self) -> bytes:
        """Return the content. Raises OSError and CorruptLog."""
        return read_log_bytes(self.source)


@dataclass(frozen=True)
class Section:
    """One tournament of a site."""

    home: LogPath
    """Its folder, or its bundle."""
    name: str
    prefix: str
    """Its path on the site: empty if the site has no other, else it ends with a slash."""
    logs: Sequence[LogPath]
    files: Sequence[RawFile]

    @property
    def path(self) -> Path:
        """The path for commands, which may lead into a bundle."""
        return Path(str(self.home))

    @property
    def inputs(self) -> str:
        """A hash of its name and its files."""
        digest = sha256(f"{self.prefix}\0{path_text(self.path.name)}".encode())
        for file in self.files:
            digest.update(f"\0{file.target}\0{file.digest}".encode())
        return digest.hexdigest()


def find(paths: Sequence[Path]) -> list[Section]:
    """Return the sections of a site of these tournaments and archives, in their order.

    Raises UsageError for a path that does not exist or is the log of a match, and NothingToDo for
    paths without logs.
    """
    homes: dict[LogPath, list[LogPath]] = {}
    for log in discovery.logs(paths):
        homes.setdefault(discovery.home(log), []).append(log)
    if not homes:
        raise NothingToDo("expected tournaments, found none.")
    for path in paths:
        if path.is_file() and not path.name.endswith(SUFFIX):
            raise UsageError(
                f"{path_text(path)}: expected the folder, archive or bundle of a tournament, found "
                "a file. `koth report` writes the page of a match."
            )
    names = [_name(home) for home in homes]
    sections = []
    for number, (home, logs) in enumerate(homes.items()):
        name = names[number]
        unique = name if names.count(name) == 1 else f"{name} {names[: number + 1].count(name)}"
        prefix = "" if len(homes) == 1 else f"{SECTIONS}/{file_name(unique)}/"
        sections.append(Section(home, unique, prefix, logs, _raw_files(home, logs)))
    return sections


def _name(home: LogPath) -> str:
    name = home.name or Path(str(home)).absolute().name
    return path_text(name.removesuffix(SUFFIX))


def _raw_files(home: LogPath, logs: Sequence[LogPath]) -> list[RawFile]:
    """Return the logs, the evidence beside them, and the checkpoint; nothing else is published."""
    files = []
    for log in logs:
        files.append((log, log_target(log)))
        evidence = discovery.evidence(log)
        if _is_file(evidence):
            files.append((evidence, safe_path(f"{EVIDENCE}/{log.name}")))
    if _is_file(checkpoint := home / CHECKPOINT):
        files.append((checkpoint, CHECKPOINT))
    return [RawFile(source, target, file_hash(source)) for source, target in dict(files).items()]


def _is_file(path: LogPath) -> bool:
    return path.exists() and not path.is_dir()


def log_target(log: LogPath) -> str:
    """Return the path of a log below the folder ``logs``."""
    above = (MATCHES,) if log.parent.name == MATCHES else ()
    return safe_path(str(PurePosixPath(*above, log.name)))
