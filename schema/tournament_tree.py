"""The files of a tournament in the order of their Merkle tree: its matches, then its own log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from schema.discovery import MATCHES, TOURNAMENT, logs_at
from schema.files import LINE_BYTES, open_regular, sha256_of
from schema.log_path import LogPath

TOURNAMENT_ENTRY = "tournament"
"""Names the tournament's own log where other logs are named by their match id."""

PLAYED = re.compile(rb'^\{"seq":\d+,"type":"match_played","match":"([0-9]+-[0-9]+)"')

P = TypeVar("P", bound=LogPath)


def entries(
    tournament: LogPath, digest: Callable[[LogPath], bytes] = sha256_of
) -> dict[str, bytes]:
    """Return the SHA-256 of each file of a tournament, in the order of the tree.

    The keys are match ids, and ``tournament`` for its own log, which must have been read strictly
    before. ``digest`` hashes a file. Raises OSError, LogError, and what ``digest`` raises.
    """
    log = tournament / TOURNAMENT
    matches = {match: digest(match_log(log, match)) for match in played(log)}
    return {**matches, TOURNAMENT_ENTRY: digest(log)}


def played(log: LogPath) -> Iterator[str]:
    """Yield the ids of the matches in a tournament's log, in order."""
    with open_regular(log) as file:
        while line := file.readline(LINE_BYTES):
            if match := PLAYED.match(line):
                yield match[1].decode()


def match_log(tournament_log: P, match: str) -> P:
    """Return the path of a match's log, given the path of its tournament's log."""
    return tournament_log.parent / MATCHES / f"{match}.jsonl"


def added_log(tournament_log: Path, matches: Iterable[str]) -> LogPath | None:
    """Return the first log in the tournament's folder of matches that is none of ``matches``.

    A sealed tournament with such a log is ``forged``. A bundle there holds such logs, too.
    """
    folder = tournament_log.parent / MATCHES
    if not folder.is_dir():
        return None
    named = {match_log(tournament_log, match) for match in matches}
    return next((log for log in logs_at(folder) if log not in named), None)
