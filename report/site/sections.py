"""The sections of a site: one per tournament or contest, each with its raw files and its folder.

The stages of a contest are part of its section. Stages without the log of their contest are
tournaments.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from itertools import count
from pathlib import Path

from replay.partial_log import read_partial
from replay.signatures.contest_checkpoint import stage_folder
from report.site.names import file_name, safe_path
from schema import discovery
from schema.bundle import SUFFIX
from schema.discovery import BOTS, CHECKPOINT, CHECKPOINTS, CONTEST, MATCHES, TOURNAMENT
from schema.errors import LogError, NothingToDo, UsageError
from schema.files import ZeroBytes, first_line, open_regular, refuse_links, sha256_of
from schema.log_path import LogPath, path_text
from schema.logs import Logs
from schema.reader import Log, read_start
from schema.scan import read_log_bytes
from schema.seal import MAX_BOT_BYTES
from schema.system_errors import leaving_out_unreadable

TOURNAMENTS, CONTESTS = "tournaments", "contests"
"""The folders of the sections of a site with several."""

ENTRIES = ("entered", "revised")
"""The events of a contest that name a version of a bot."""


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file of a section that the site publishes as it is."""

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
    """One tournament or contest of a site."""

    home: LogPath
    """Its folder, or its bundle."""
    name: str
    prefix: str
    """Its path on the site: empty if the site has no other, else it ends with a slash."""
    logs: Logs
    files: Sequence[RawFile]

    @property
    def path(self) -> Path:
        """The path for commands, which may lead into a bundle."""
        return Path(str(self.home))

    @property
    def inputs(self) -> str:
        """A hash of its name, and of all files that decide its verdicts or are published."""
        digest = sha256(self.name.encode())
        for path in sorted(self.published.values()):
            digest.update(f"\0{path}".encode())
        for file in self.files:
            digest.update(f"\0{file.target}\0{file.digest}".encode())
        for line in (*_bot_files(self.home), *_signed_around(self.home)):
            digest.update(f"\0{line}".encode())
        return digest.hexdigest()

    @property
    def published(self) -> dict[LogPath, str]:
        """Its logs, with their paths below its folder on the site."""
        return {log: f"logs/{raw_path(log, self.home)}" for log in self.logs}

    @cached_property
    def game(self) -> str | None:
        """The game that its own log names, if that can be read."""
        return None if self._log is None else self._log.card.name

    @cached_property
    def bots(self) -> dict[str, str]:
        """The bots that its own log names, each with its last hash."""
        if self._log is None:
            return {}
        entries = [event for event in self._log.events if event["type"] in ENTRIES]
        entrants = [*self._log.start.get("entrants", ()), *entries]
        return {str(entrant["name"]): str(entrant["bot"]) for entrant in entrants}

    @property
    def _log(self) -> Log | None:
        """The first line of its tournament's log, or all whole lines of its contest's log."""
        contest, tournament = self.home / CONTEST, self.home / TOURNAMENT
        with suppress(LogError, OSError):
            if contest.exists():
                return read_partial(contest)
            return read_start(first_line(tournament), tournament)
        return None


def find(paths: Sequence[Path]) -> list[Section]:
    """Return the sections of a site of these tournaments, contests and archives, in their order.

    Raises UsageError for a path that does not exist or is a log, and NothingToDo for paths without
    logs.
    """
    if not all(path.is_absolute() for path in paths) and MATCHES in Path.cwd().parts:
        paths = [*map(discovery.absolute, paths)]  # each log is below the folder of its tournament
    all_logs = discovery.logs(paths)
    contests = {log.parent for log in all_logs if log.name == CONTEST}
    homes: dict[LogPath, list[LogPath]] = {}
    for log in all_logs:
        stage = discovery.stage_of(log) if contests else None
        contest = stage[0] if stage and stage[0] in contests else None
        homes.setdefault(contest or discovery.home(log), []).append(log)
    if not homes:
        raise NothingToDo("expected tournaments, found none.")
    for path in paths:
        if not path.name.endswith(SUFFIX) and not discovery.resolve(path).is_dir():
            raise UsageError(
                f"{path_text(path)}: expected the folder, archive or bundle of a tournament, found "
                "a file. `koth report` writes the page of a match."
            )
    names = _distinct([_name(home) for home in homes])
    sections = []
    for name, (home, logs) in zip(names, homes.items(), strict=True):
        folder = CONTESTS if home in contests else TOURNAMENTS
        prefix = "" if len(homes) == 1 else f"{folder}/{file_name(name)}/"
        sections.append(Section(home, name, prefix, Logs.of(logs), _raw_files(home, logs)))
    return sections


def _distinct(names: Sequence[str]) -> Iterator[str]:
    """Yield the names in their order; equal ones have numbers that make no other name."""
    counted = Counter(names)
    numbers = defaultdict[str, Iterator[int]](partial(count, 1))
    for name in names:
        numbered = (f"{name} {number}" for number in numbers[name])
        is_single = counted[name] == 1
        yield name if is_single else next(other for other in numbered if other not in counted)


def _name(home: LogPath) -> str:
    return path_text(discovery.absolute(home).name.removesuffix(SUFFIX))


def _raw_files(home: LogPath, logs: Sequence[LogPath]) -> list[RawFile]:
    """Return what is published: the logs, the evidence that can be read, and the checkpoints.

    A file with zero bytes is none of them; it may have a hole that is larger than every disk.
    """
    folders = {discovery.home(log) for log in logs}
    sources = [
        *logs,
        *(path for folder in folders if _is_file(path := folder / CHECKPOINT)),
        *(path for _, path in discovery.files_below(home / CHECKPOINTS)),
    ]
    digests = {}
    for path in sources:
        with suppress(ZeroBytes):
            digests[path] = sha256_of(path).hex()
    for path in map(discovery.evidence, logs):
        with leaving_out_unreadable():
            refuse_links(path, home)
            digests[path] = sha256_of(path).hex()
    return [
        RawFile(path, raw_path(path, home), digests[path])
        for path in sorted(digests, key=path_text)
    ]


def _bot_files(home: LogPath) -> Iterator[str]:
    """Yield the paths and hashes of the files of the bots in a contest, and what cannot be read."""
    if not (home / CONTEST).exists():
        return
    bots = home / BOTS
    yield f"{bots.exists()}"
    try:
        for name, path in discovery.files_below(bots):
            with open_regular(path) as file:
                content = file.read(MAX_BOT_BYTES + 1)  # as much as its verification reads
            yield f"{path_text(name)} {sha256(content).hexdigest()}"
    except (OSError, LogError) as error:
        yield path_text(str(error))


def _signed_around(home: LogPath) -> Iterator[str]:
    """Yield the hashes of the files through which a contest's signature covers a stage alone."""
    with suppress(LogError, OSError):
        if stage := stage_folder(home):
            for name in (CHECKPOINT, CONTEST):
                yield sha256_of(stage[0] / name).hex()


def _is_file(path: LogPath) -> bool:
    return path.is_file() if isinstance(path, Path) else path.exists() and not path.is_dir()


def is_match(log: LogPath) -> bool:
    """Return whether the first line of a log is that of a match."""
    with suppress(LogError, OSError):
        return read_start(first_line(log), log).kind == "match"
    return False


def raw_path(path: LogPath, home: LogPath) -> str:
    """Return the path of a raw file below the folder ``logs``, if ``home`` is that of its section.

    ``path`` must be below ``home``.
    """
    parts: list[str] = []
    while path != home:
        parts.insert(0, path.name)
        path = path.parent
    return safe_path("/".join(parts))
