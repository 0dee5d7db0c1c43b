"""Imported logs, and their writer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from schema.canonical import Event
from schema.card import Card
from schema.discovery import MATCHES, TOURNAMENT
from schema.errors import KothError
from schema.events import FORMAT
from schema.files import refuse_used, refuse_working_folder, replacing_folder
from schema.seal import NO_FILES
from schema.writer import LogWriter, WriteError


class NotWritten(KothError):
    """Raised when the logs cannot be written; no file is left then."""

    def __init__(self, folder: Path, error: BaseException | None) -> None:
        reason = error.strerror if isinstance(error, OSError) else error
        super().__init__(
            f"{folder}: could not be written: {reason}. Nothing is imported. Free space, repair "
            "the disk or name another folder, then import again."
        )


@dataclass(frozen=True)
class Imported:
    """The events of each match by its id, and those of the tournament's own log, if it has one.

    The events have no seals. The writer adds the seals of the matches to those of the tournament.
    """

    summary: str
    """The number of matches, games or bots, for a message."""
    matches: Mapping[str, Sequence[Event]]
    tournament: Sequence[Event] | None
    note: str | None = None
    """A warning about the files, if there is one."""


def match_started(
    card: Card, tournament: str, match: str, names: Sequence[str], settings: Mapping[str, object]
) -> Event:
    """Return the first event of an imported match."""
    players = [{"seat": seat, "name": name, "bot": NO_FILES} for seat, name in enumerate(names)]
    return {
        "type": "match_started",
        "format": FORMAT,
        "game": card.name,
        "rules": card.rules,
        "tournament": tournament,
        "match": match,
        "players": players,
        "settings": settings,
        "source": "imported",
    }


def tournament_started(
    card: Card, tournament: str, names: Sequence[str], settings: Mapping[str, object]
) -> Event:
    """Return the first event of an imported tournament."""
    entrants = [{"entrant": n, "name": name, "bot": NO_FILES} for n, name in enumerate(names)]
    return {
        "type": "tournament_started",
        "format": FORMAT,
        "game": card.name,
        "rules": card.rules,
        "tournament": tournament,
        "entrants": entrants,
        "settings": settings,
        "source": "imported",
    }


def write(imported: Imported, folder: Path) -> None:
    """Write sealed logs into ``folder``, which must be new or empty; all of them, or none.

    Raises UsageError for a folder that is not empty and for the working folder, and NotWritten.
    """
    refuse_used(folder)
    refuse_working_folder(folder)
    try:
        _write(imported, Path(os.path.realpath(folder)))
    except OSError as error:
        raise NotWritten(folder, error) from error
    except WriteError as error:
        raise NotWritten(folder, error.__cause__) from error


def _write(imported: Imported, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing_folder(target) as draft:
        if imported.matches:
            (draft / MATCHES).mkdir()
        seals = {
            match: _write_log(draft / MATCHES / f"{match}.jsonl", "match", events)
            for match, events in imported.matches.items()
        }
        if imported.tournament is not None:
            events = [_with_seal(event, seals) for event in imported.tournament]
            _write_log(draft / TOURNAMENT, "tournament", events)


def _write_log(path: Path, kind: str, events: Sequence[Event]) -> str:
    with LogWriter(path) as log:
        for event in events:
            log.write(event)
        return log.seal(kind)


def _with_seal(event: Event, seals: Mapping[str, str]) -> Event:
    if event["type"] != "match_played":
        return event
    return {**event, "seal": seals[str(event["match"])]}
