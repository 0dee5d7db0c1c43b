"""Strict reading: check every log and write its events to staging files that DuckDB loads.

Each event gets the number of its log, its game and its match. Events that all games share go into
one staging file, and a game's own events into one file for each game. Bulk events go there as they
are (:mod:`audit.loading.columnar`). DuckDB never sees the log files or their names. A staging file
has the name of the table in the schema ``raw`` that it fills.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

import orjson

from audit.loading.columnar import BulkType, SplitLog, split_log
from schema import contract, reader
from schema.canonical import line
from schema.contest_events import CONTEST_EVENTS
from schema.discovery import MATCHES
from schema.errors import LogError
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS
from schema.executor import Mapper
from schema.log_path import LogPath, path_text
from schema.scan import read_log_bytes
from schema.system_errors import raise_exhaustion

COMMON_MODELS = (*MATCH_EVENTS, *TOURNAMENT_EVENTS, *CONTEST_EVENTS)
STAGED = "staged"
"""The staging file of the events that all games share."""
LOGS = "logs"
"""The staging file with one line for each log."""
UNREAD = "unread"
"""The staging file with one line for each file that could not be read."""


PART_BYTES = 4 << 20
"""Minimum bytes of the lines of a part of the logs, and of the lines that are loaded at once."""
MAX_PARTS = 32
"""Maximum number of parts; a query of one part may take as long as one of all."""


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One file to read, and the number that its log gets."""

    number: int
    path: LogPath
    current_only: bool
    base: Path
    """The folder that a relative path starts from, also on another machine."""
    bulk: bool = True
    """Whether DuckDB may read bulk events directly."""


@dataclass(frozen=True)
class StagedLog:
    """The lines of one log, by the names of their staging files."""

    number: int
    game: str
    lines: Mapping[str, bytes]
    bulk: BulkType | None
    """The type of its bulk events, if it has any."""


@dataclass(frozen=True)
class UnreadFile:
    """The line about a file that could not be read as a log, by the name of its staging file."""

    lines: Mapping[str, bytes]


@dataclass
class Staging:
    """The staging files in ``folder``. A staging file has one or more files, read in turn."""

    folder: Path
    games: set[str] = field(default_factory=set)
    """Games of the logs."""
    bulk: dict[str, BulkType] = field(default_factory=dict)
    """The types of bulk events, by the names of their staging files."""
    parts: list[int] = field(default_factory=list)
    """Numbers of the logs that begin a part, but for the first part."""

    files: dict[str, list[Path]] = field(default_factory=dict)
    """The paths of each staging file: one in all for bulk events."""

    def add(self, name: str) -> Path:
        """Return the path of a new file of the staging file called ``name``."""
        paths = self.files.setdefault(name, [])
        paths.append(self.folder / f"{name}.{len(paths)}.jsonl")
        return paths[-1]


def game_table(game: str) -> str:
    """Return the name of the staging file, and of the table, of a game's own events."""
    return f"game_{game}"


def stage_logs(tasks: Iterable[ReadTask], folder: Path, mapper: Mapper) -> Staging:
    """Read every log and write the staging files into ``folder``."""
    staging = Staging(folder)
    size, unloaded = 0, 0
    with ExitStack() as stack:
        files: dict[str, BinaryIO] = {}
        for result in mapper(read_log, tasks):
            if isinstance(result, StagedLog):
                if size >= PART_BYTES:
                    size = 0
                    staging.parts.append(result.number)
                if unloaded >= PART_BYTES:
                    unloaded = 0
                    for name in files.keys() - staging.bulk.keys():
                        files.pop(name).close()
                staging.games.add(result.game)
                if result.bulk:
                    staging.bulk[result.bulk.name] = result.bulk
            for name, lines in result.lines.items():
                if name not in files:
                    files[name] = stack.enter_context(staging.add(name).open("wb"))
                files[name].write(lines)
                size += len(lines)
                unloaded += len(lines) if name not in staging.bulk else 0
    step = len(staging.parts) // MAX_PARTS + 1
    staging.parts = staging.parts[step - 1 :: step]
    return staging


def read_log(task: ReadTask) -> StagedLog | UnreadFile:
    """Read one log strictly."""
    try:
        split, log = _parse(read_log_bytes(task.path), task)
    except LogError as error:
        where = "" if error.line is None else f"line {error.line}: "
        begun = error.log if isinstance(error, reader.IncompleteLog) else None
        game = begun.card.name if begun else None
        return _unread(task.path, error.verdict, where + error.found, game)
    except OSError as error:
        raise_exhaustion(error)
        return _unread(task.path, "unreadable", error.strerror or str(error))
    if task.current_only and not (log.version is log.card.current or log.version.audited):
        reason = f"the audit knows {log.card.rules}; this was played under {log.version.name}"
        return _unread(task.path, "unsupported", reason)
    origin = {"_log": task.number, "_game": log.card.name, "_match": log.start.get("match")}
    row = {**origin, **_log_row(log, task.base)}
    if split:
        row |= {"bulk_type": split.bulk_type.columns.type, "bulk": split.count}
    lines: dict[str, list[bytes]] = {LOGS: [_json_line(row)]}
    shared = common_types()
    for seq, event in split.events(log) if split else enumerate(log.events):
        name = STAGED if event["type"] in shared else game_table(log.card.name)
        lines.setdefault(name, []).append(line(seq, {**origin, **event}))
    joined = {name: b"".join(texts) for name, texts in lines.items()}
    if split:
        joined[split.bulk_type.name] = b"".join(split.rows(task.number, log.start["match"]))
    return StagedLog(task.number, log.card.name, joined, split.bulk_type if split else None)


def _parse(data: bytes, task: ReadTask) -> tuple[SplitLog | None, reader.Log]:
    """Return the log, without its bulk if it can be split. Raises LogError."""
    split = split_log(data) if task.bulk else None
    if split:
        try:
            return split, reader.parse(split.rest, task.path)
        except LogError:
            pass  # parse the whole log: an error must name its original line
    try:
        return None, reader.parse(data, task.path)
    except reader.IncompleteLog as error:
        if error.log is None or error.log.kind != "contest":
            raise
        return None, error.log  # a contest is read while it is open


@cache
def common_types() -> frozenset[str]:
    """Return the types of the events that all games share."""
    return frozenset(map(contract.event_type, COMMON_MODELS))


def _log_row(log: reader.Log, base: Path) -> dict[str, object]:
    """Return the log's row in the table of logs.

    ``folder`` is that of its contest or tournament, or None.
    """
    parent = (base / str(log.path)).parent
    in_matches = parent.parent if parent.name == MATCHES else None
    folder = in_matches if log.kind == "match" else parent
    return {
        "path": path_text(log.path),
        "folder": folder and path_text(folder),
        "kind": log.kind,
        "rules": log.version.name,
        "tournament": log.start.get("tournament"),
    }


def _unread(path: LogPath, verdict: str, reason: str, game: str | None = None) -> UnreadFile:
    row = {"_game": game, "path": path_text(path), "verdict": verdict, "reason": reason}
    return UnreadFile({UNREAD: _json_line(row)})


def _json_line(value: Mapping[str, object]) -> bytes:
    return orjson.dumps(value) + b"\n"
