"""From log files to lines that DuckDB reads without a guess: what is loaded is what was checked.

Every log is read strictly once. Its events go, each with the number of its log, its game and its
match, into one spool file for the events that all games share and one a game for its own. So no
file is opened twice, and a file's name means nothing to DuckDB. Bulk events go there as they are
(:mod:`audit.loading.columnar`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

import orjson

from audit.loading.columnar import Bulk, Cut, cut
from schema import reader
from schema.canonical import line
from schema.discovery import MATCHES
from schema.errors import LogError
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS
from schema.executor import Mapper
from schema.log_path import LogPath, path_text
from schema.scan import read_log_bytes

COMMON_MODELS = (*MATCH_EVENTS, *TOURNAMENT_EVENTS)
COMMON = "common"
"""The spool file of the events that all games share."""
LOGS = "logs"
"""The spool file of what is known of each log."""
UNREAD = "unread"
"""The spool file of the files that could not be read."""


@dataclass(frozen=True)
class Task:
    """One file to read, and the number that its log gets."""

    number: int
    path: LogPath
    current_only: bool
    bulk: bool = True
    """Whether bulk events may go to DuckDB as they are."""
    base: Path = field(default_factory=Path.cwd)
    """Where a relative path begins; wherever it is read, it is this."""


@dataclass(frozen=True)
class Read:
    """One log as lines for the spool files, by their names."""

    game: str
    longest: int
    lines: Mapping[str, bytes]
    bulk: Bulk | None
    """Of which type its bulk events are, if it has any."""


@dataclass(frozen=True)
class Unread:
    """A file that could not be read as a log, as a line for a spool file."""

    lines: Mapping[str, bytes]


@dataclass
class Spool:
    """The spool files in ``folder``, and what is known of the logs in them."""

    folder: Path
    games: set[str] = field(default_factory=set)
    bulk: dict[str, Bulk] = field(default_factory=dict)
    """The types of bulk events, by the names of their spool files."""
    longest: int = 0
    """The longest line, in bytes."""

    def file(self, name: str) -> Path:
        """The spool file called ``name``; there is none when nothing was put into it."""
        return self.folder / f"{name}.jsonl"


def game_file(game: str) -> str:
    """The name of the spool file of a game's own events."""
    return f"game-{game}"


def spool(tasks: Iterable[Task], folder: Path, each: Mapper) -> Spool:
    """Read every log and write the spool files into ``folder``."""
    done = Spool(folder)
    with ExitStack() as stack:
        files: dict[str, BinaryIO] = {}
        for result in each(load, tasks):
            if isinstance(result, Read):
                done.games.add(result.game)
                done.longest = max(done.longest, result.longest)
                if result.bulk:
                    done.bulk[result.bulk.name] = result.bulk
            for name, lines in result.lines.items():
                if name not in files:
                    files[name] = stack.enter_context(done.file(name).open("wb"))
                files[name].write(lines)
    return done


def load(task: Task) -> Read | Unread:
    """Read one log strictly."""
    try:
        parts, log = _parse(read_log_bytes(task.path), task)
    except LogError as error:
        where = "" if error.line is None else f"line {error.line}: "
        return _unread(task.path, error.verdict, where + error.found)
    except OSError as error:
        return _unread(task.path, "unreadable", error.strerror or str(error))
    if task.current_only and log.version is not log.card.current:
        reason = f"the audit knows {log.card.rules}; this was played under {log.version.name}"
        return _unread(task.path, "unsupported", reason)
    place = {"_log": task.number, "_game": log.card.name, "_match": log.start.get("match")}
    about = {**place, **_about(log, task.base)}
    if parts:
        about |= {"bulk_type": parts.bulk.columns.type, "bulk": parts.count}
    lines: dict[str, list[bytes]] = {LOGS: [_json_line(about)]}
    shared = common_types()
    for seq, event in parts.events(log) if parts else enumerate(log.events):
        name = COMMON if event["type"] in shared else game_file(log.card.name)
        lines.setdefault(name, []).append(line(seq, {**place, **event}))
    longest = max(len(text) for texts in lines.values() for text in texts)
    joined = {name: b"".join(texts) for name, texts in lines.items()}
    if parts:
        joined[parts.bulk.name] = parts.placed(task.number, log.start["match"])
    return Read(log.card.name, longest, joined, parts.bulk if parts else None)


def _parse(data: bytes, task: Task) -> tuple[Cut | None, reader.Log]:
    """The log, without its bulk if that is cut from it. Raises LogError."""
    parts = cut(data) if task.bulk else None
    if parts:
        try:
            return parts, reader.parse(parts.rest, task.path)
        except LogError:
            pass  # what is wrong, and where, is told of the whole log
    return None, reader.parse(data, task.path)


@cache
def common_types() -> frozenset[str]:
    """The types of the events that all games share."""
    return reader.common_types("match") | reader.common_types("tournament")


def _about(log: reader.Log, base: Path) -> dict[str, object]:
    """What the table of logs says of a log; ``folder`` is its tournament's, where that is known."""
    place = (base / str(log.path)).parent
    home = place if log.kind == "tournament" else place.parent if place.name == MATCHES else None
    return {
        "path": path_text(log.path),
        "folder": home and path_text(home),
        "kind": log.kind,
        "rules": log.version.name,
        "tournament": log.start["tournament"],
    }


def _unread(path: LogPath, verdict: str, reason: str) -> Unread:
    about = {"path": path_text(path), "verdict": verdict, "reason": reason}
    return Unread({UNREAD: _json_line(about)})


def _json_line(value: Mapping[str, object]) -> bytes:
    return orjson.dumps(value) + b"\n"
