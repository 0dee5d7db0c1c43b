"""The faults in logs: who failed, how, under which clause, and what is known of the reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from replay.evidence import Note, note, notes
from schema import reader, registry, rulebook
from schema.bot_output import CHANNELS
from schema.contract import LIMIT
from schema.errors import LogError
from schema.files import first_line, open_regular
from schema.log_path import LogPath
from schema.reader import IncompleteLog, Log
from schema.scan import blocks

MARK = b'"type":"fault"'
"""What a log with a fault has in it, and one without hardly ever."""

WRITTEN = (*(name for channel in CHANNELS for name in (channel, f"{channel}_base64")), "cut")
"""The fields of a fault that hold what the bot wrote."""

SeatOfBot = Mapping[str, Any]

Counts = Mapping[str, Mapping[str, int]]
"""How many faults there are, by the bot's name and by kind."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, as its log has it, with the evidence beside it."""

    path: LogPath
    match: str
    game: str
    seq: int
    event: Mapping[str, Any]
    player: SeatOfBot
    """Who failed: seat, name and hash."""
    clause_text: str
    time_limit_s: int | None
    evidence: Note | None
    """The referee's word; no replay can check it."""

    @property
    def answer(self) -> dict[str, Any]:
        """What the bot wrote, as it stands in the log."""
        return {key: self.event[key] for key in WRITTEN if key in self.event}


def faults(path: LogPath) -> Iterator[Fault]:
    """The faults in the log at ``path``, which may be without its seal.

    Raises LogError for a file that is no log, and OSError.
    """
    with open_regular(path) as file:
        if not any(MARK in line for _, lines, _ in blocks(path, file) for line in lines):
            return
    try:
        log = reader.read(path)
    except IncompleteLog as error:
        if error.log is None:
            raise
        log = error.log
    players = _players(log.start)
    evidence = notes(path)
    for seq, event in enumerate(cast(Sequence[Mapping[str, Any]], log.events)):
        if event["type"] == "fault":
            yield Fault(
                path,
                log.start["match"],
                log.card.name,
                seq,
                event,
                _player(players, event["seat"]),
                _clauses(log.card.name).get(event["clause"], ""),
                log.start["settings"].get(LIMIT),
                note(evidence, log.events, seq),
            )


@cache
def _clauses(game: str) -> Mapping[str, str]:
    return rulebook.clauses(registry.card(game))


def names(path: LogPath) -> Iterator[str]:
    """The names of the bots in the log at ``path``, of a match or a tournament.

    There are none if its first line cannot be read.
    """
    with suppress(LogError, OSError):
        start = reader.begun(first_line(path), path).start
        for player in start.get("players", ()) or start.get("entrants", ()):
            yield player["name"]


def of_seats(start: Mapping[str, Any], faults: Iterable[Mapping[str, Any]]) -> Counts:
    """How many ``faults`` (seat, kind) there are in a match that begins with ``start``."""
    players = _players(start)
    return added((_player(players, one["seat"])["name"], one["kind"], 1) for one in faults)


def in_log(log: Log) -> Counts:
    """How many faults there are in a log."""
    events = cast(Sequence[Mapping[str, Any]], log.events)
    return of_seats(log.start, (event for event in events if event["type"] == "fault"))


def counts(faults: Iterable[Fault]) -> Counts:
    """How many faults there are."""
    return added((fault.player["name"], fault.event["kind"], 1) for fault in faults)


def added(counted: Iterable[tuple[str, str, int]]) -> Counts:
    """Name, kind and number, added up: most faults first."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for name, kind, number in counted:
        found[name][kind] += number
    ordered = sorted(found, key=lambda name: (-found[name].total(), name))
    return {name: dict(found[name].most_common()) for name in ordered}


def together(several: Iterable[Counts]) -> Counts:
    """The faults of several logs, added up."""
    return added(
        (name, kind, number)
        for counts in several
        for name, kinds in counts.items()
        for kind, number in kinds.items()
    )


def _players(start: Mapping[str, Any]) -> Mapping[int, SeatOfBot]:
    return {player["seat"]: player for player in start.get("players", ())}


def _player(players: Mapping[int, SeatOfBot], seat: int) -> SeatOfBot:
    return players.get(seat, {"seat": seat, "name": f"seat {seat}", "bot": ""})
