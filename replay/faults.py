"""The faults in logs: which bot failed, in which way, under which clause, with which evidence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from schema import reader, registry
from schema.bot_output import CHANNELS
from schema.contract import LOADING, TIME_LIMIT
from schema.errors import LogError
from schema.files import first_line
from schema.log_path import LogPath
from schema.reader import Log
from schema.tournament_tree import match_log

if TYPE_CHECKING:
    from replay.evidence import Note

OUTPUT_FIELDS = (
    "found",
    *(name for channel in CHANNELS for name in (channel, f"{channel}_base64")),
    "cut",
)
"""The fields of a fault that hold the bot's output, and what replaced the history file."""

Player = Mapping[str, Any]
"""A seat, with the name and the hash of its bot."""

Counts = Mapping[str, Mapping[str, int]]
"""Number of faults by the bot's name and by kind."""

NO_FAULTS: Counts = {}
"""The counts of most logs: one object for all of them, to save memory."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One recorded fault, with the evidence beside its log."""

    path: LogPath
    match: str
    game: str
    seq: int
    event: Mapping[str, Any]
    player: Player
    """The bot that failed."""
    clause_text: str
    time_limit: str
    """In words, with what a bot has to begin with; empty if the log names no limit."""
    evidence: Note | None
    """The referee's word; no replay can check it."""
    sentence: str
    """The fault in plain words (:mod:`games.narration`)."""
    imported: bool
    """Whether the log was imported, so that the fault cannot be explained."""
    sealed: bool
    """Whether the log is finished; until then the fault cannot be explained either."""

    @property
    def had_ended(self) -> bool:
        """Whether the bot was not asked, because an earlier fault had ended it: its evidence."""
        return bool(self.evidence and self.evidence.get("ended_earlier"))

    @property
    def output(self) -> dict[str, Any]:
        """The bot's output, in the fields of the log."""
        return {key: self.event[key] for key in OUTPUT_FIELDS if key in self.event}


def faults(log: Log, only: Container[int] | None = None) -> Iterator[Fault]:
    """Yield the faults in ``log``, with or without a seal: all, or ``only`` those events."""
    from games.narration import Narrator
    from replay.evidence import note, notes

    if not any(event["type"] == "fault" for event in log.events):
        return
    players = players_of(log.start)
    evidence, narrate = notes(log.path), Narrator(log.card, log.start)
    for seq, event in enumerate(cast(Sequence[Mapping[str, Any]], log.events)):
        if event["type"] == "fault" and (only is None or seq in only):
            yield Fault(
                log.path,
                log.start["match"],
                log.card.name,
                seq,
                event,
                player_of(players, event),
                _clause(log.card.name, event["clause"]),
                _time_limit(log),
                note(evidence, log.events, seq),
                narrate(event),
                log.imported,
                log.sealed,
            )


def without_log(log: Log) -> int:
    """Return the number of faults that the log of a tournament reports of matches without a log.

    It is 0 for any other log.
    """
    if log.kind != "tournament":
        return 0
    played = (event for event in log.events if event["type"] == "match_played")
    return sum(
        len(event["faults"])
        for event in cast(Iterable[Mapping[str, Any]], played)
        if event["faults"] and not match_log(log.path, event["match"]).exists()
    )


def _time_limit(log: Log) -> str:
    seconds = log.start["settings"].get(TIME_LIMIT)
    if seconds is None:
        return ""
    begins = {"class": "to load", "stream": "for its first answer"}.get(log.card.protocol)
    return f"{seconds} s, {seconds * LOADING} s {begins}" if begins else f"{seconds} s"


@cache
def _clause(game: str, number: str) -> str:
    from schema import rulebook

    return rulebook.cited(rulebook.clauses(registry.card(game)), number)


def names(path: LogPath) -> Iterator[str]:
    """Yield the names of the bots in the log at ``path``, of a match or a tournament.

    Yields nothing if the first line cannot be read.
    """
    with suppress(LogError, OSError):
        start = reader.read_start(first_line(path), path).start
        for player in start.get("players", ()) or start.get("entrants", ()):
            yield player["name"]


def counts_by_seat(start: Mapping[str, Any], faults: Iterable[Mapping[str, Any]]) -> Counts:
    """Count the ``faults`` (seat, kind) of the match that begins with the event ``start``."""
    players = players_of(start)
    return _sum((player_of(players, fault)["name"], fault["kind"], 1) for fault in faults)


def counts_in_log(log: Log) -> Counts:
    """Count the faults in a log."""
    events = cast(Sequence[Mapping[str, Any]], log.events)
    return counts_by_seat(log.start, (event for event in events if event["type"] == "fault"))


def counts(faults: Iterable[Fault]) -> Counts:
    """Count the faults."""
    return _sum((fault.player["name"], fault.event["kind"], 1) for fault in faults)


def sum_counts(counts: Iterable[Counts]) -> Counts:
    """Add up the faults of several logs."""
    return _sum(
        (name, kind, number)
        for of_log in counts
        for name, kinds in of_log.items()
        for kind, number in kinds.items()
    )


def _sum(numbers: Iterable[tuple[str, str, int]]) -> Counts:
    """Add up numbers by name and kind; most faults first."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for name, kind, number in numbers:
        sums[name][kind] += number
    order = sorted(sums, key=lambda name: (-sums[name].total(), name))
    return {name: dict(sums[name].most_common()) for name in order}


def players_of(start: Mapping[str, Any]) -> Mapping[int, Player]:
    """Return the players in the first event of a log, by seat; a tournament's log has none."""
    return {player["seat"]: player for player in start.get("players", ())}


def player_of(players: Mapping[int, Player], fault: Mapping[str, Any]) -> Player:
    """Return the player at fault; a forged log may name a seat without one."""
    seat = fault["seat"]
    return players.get(seat, {"seat": seat, "name": f"seat {seat}", "bot": ""})
