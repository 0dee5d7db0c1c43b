"""One match: the rules ask, the bots answer, every event is appended to the log as it happens."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import orjson

from games.recorded import result_of
from games.table import MatchRules, MatchTable, Replies, Result, drive_rules
from referee.bot import Bot
from referee.errors import RefereeError
from referee.event_validation import EventValidator
from referee.processes import limits
from referee.protocols import class_, script
from referee.protocols.base import Evidence, Protocol, Seating, Session
from referee.recorded_answers import Standing
from referee.sandbox import sandbox
from schema import reader, registry, seal
from schema.canonical import Event
from schema.dice import Dice
from schema.errors import CorruptLog, GameError
from schema.events import FORMAT
from schema.reader import IncompleteLog
from schema.registry import Card
from schema.writer import AppendOnlyFile, LogWriter

EVIDENCE_FORMAT = "koth-evidence/1"

PROTOCOLS: Mapping[str, Protocol] = {
    "argv": script.open_session,
    "class": class_.open_session,
    "file": script.open_session,
}
"""How bots are called, by the name that a game's card gives."""


@dataclass(frozen=True)
class MatchJob:
    """Everything that is needed to play one match, wherever it is played."""

    game: str
    tournament: str
    match: str
    bots: tuple[Bot, ...]
    """By seat."""
    settings: Mapping[str, Any]
    seed: str
    log: Path
    evidence: Path
    isolation: str
    cold: bool = False
    """Whether scripts start a fresh interpreter for each decision, instead of warm ones."""
    again: bool = False
    """Whether an earlier run may have recorded it, or a part of it."""
    durable: bool = False
    """Whether every decision is synced to the disk, not only the seal."""


@dataclass
class Recorder:
    """Writes the log, and remembers how the match went."""

    writer: LogWriter
    faults: list[tuple[int, str]] = field(default_factory=list)
    finished: Mapping[str, Any] = field(default_factory=dict)
    holding: EventValidator | None = None
    """What hears the events of other people's games first."""

    def __call__(self, event: Event, clause: str = "") -> None:
        """Append ``event``."""
        if self.holding is not None:
            self.holding.event(self.writer.events, event)
        self.writer.write(event)
        found: Mapping[str, Any] = event
        if found["type"] == "fault":
            self.faults.append((found["seat"], found["kind"]))
        elif found["type"] == "match_finished":
            self.finished = found


def play(job: MatchJob) -> Result:
    """Play ``job``, write its log and evidence, and return how it ended.

    What an earlier run recorded of it stands. Raises RefereeError when the log exists although it
    is not played ``again``, WriteError when it cannot be written, and a LogError when what was
    recorded is damaged, or of another match.
    """
    if (recorded := sealed(job)) is not None:
        return recorded
    card = registry.card(job.game)
    with begun(job) as game, ExitStack() as stack:
        try:
            seats = seated(card, job.bots, job.seed, job.settings, job.cold, job.isolation)
            session = stack.enter_context(seats)
        except OSError as error:
            raise RefereeError(f"{error.filename}: {error.strerror}.") from error
        drive_rules(game.rules, asker(session, game))
        return game.seal()


def seated(
    card: Card,
    bots: Sequence[Bot],
    seed: str,
    settings: Mapping[str, Any],
    cold: bool,
    isolation: str,
) -> AbstractContextManager[Session]:
    """The bots of a match, by seat, each in its scratch, to be asked as the game's card says."""
    seating = Seating(bots, seed, card.scratch, settings["time_limit_s"], cold, isolation)
    return PROTOCOLS[card.protocol](seating)


def seating(card: Card, job: MatchJob) -> Seating:
    """What the bots' protocol needs to know of a match."""
    limit = job.settings["time_limit_s"]
    return Seating(job.bots, job.seed, card.scratch, limit, job.cold, job.isolation)


@dataclass
class Game:
    """A match that is being played: its rules, and what is recorded of it."""

    job: MatchJob
    writer: LogWriter
    record: Recorder
    rules: MatchRules
    evidence: AppendOnlyFile

    def keep(self, note: Evidence) -> None:
        """Append a note to the evidence."""
        self.evidence.append(orjson.dumps(note, option=orjson.OPT_APPEND_NEWLINE))

    def note(self, note: Evidence) -> None:
        """Append a note on what was answered where the log is now."""
        self.keep({"seq": self.writer.events} | note)

    def seal(self, sync: bool = True) -> Result:
        """Seal the log of a match that is over; without ``sync`` it is still to be synced.

        Raises GameError when the rules have not said how it ended.
        """
        if not self.record.finished:
            raise GameError(f"{self.job.log}: the rules of {self.job.game} ended without a result.")
        digest = self.writer.seal("match", self.job.seed, sync)
        return result_of(self.record.finished, self.record.faults, digest)


def sealed(job: MatchJob) -> Result | None:
    """How the match ended, if an earlier run has recorded all of it.

    Raises a LogError when its log is damaged, or that of another match.
    """
    if not (job.again and job.log.exists()):
        return None
    try:
        log = reader.read(job.log)
    except IncompleteLog:
        return None
    if log.start != started(job, registry.card(job.game).rules) or log.seal["seed"] != job.seed:
        found = f"expected match {job.match} of this tournament, found the log of another"
        raise CorruptLog(job.log, 1, found)
    events = cast(list[dict[str, Any]], log.events)
    faults = [(event["seat"], event["kind"]) for event in events if event["type"] == "fault"]
    return result_of(events[-2], faults, log.seal["sha256"])


def has_begun(job: MatchJob) -> bool:
    """Whether an earlier run has recorded a part of the match, be it one line. Raises OSError."""
    if not (job.again and job.log.exists()):
        return False
    with job.log.open("rb") as file:
        return file.readline().endswith(b"\n")


@contextmanager
def begun(job: MatchJob) -> Iterator[Game]:
    """The match, with its log and its file of evidence, each of which has its first line.

    Raises RefereeError when there is a log already that is not to be taken up, or the files cannot
    be made; a LogError when a log that is to be taken up is damaged.
    """
    card = registry.card(job.game)
    settings = card.settings(job.settings)
    with ExitStack() as stack:
        try:
            job.evidence.parent.mkdir(parents=True, exist_ok=True)
            writer = LogWriter(job.log, again=job.again, durable=job.durable)
            stack.enter_context(writer)
            evidence = AppendOnlyFile(job.evidence, 0 if writer.log else os.O_TRUNC)
            stack.enter_context(evidence).read_existing()
        except FileExistsError as error:
            raise RefereeError(f"{error.filename}: there is a log already.") from None
        except OSError as error:
            if not job.again:
                with suppress(OSError):
                    job.log.unlink()
            raise RefereeError(f"{error.filename}: {error.strerror}.") from error
        record = Recorder(writer, holding=None if card.built_in else EventValidator(card, job.log))
        record(started(job, card.rules))
        names = [bot.name for bot in job.bots]
        table = MatchTable(names, settings, Dice(job.seed), record)
        game = Game(job, writer, record, card.current.match_rules()(table), evidence)
        game.keep(conditions(job))
        yield game


def drop(job: MatchJob) -> None:
    """Remove what was recorded of a match that is not kept, if it was begun at all."""
    for path in (job.log, job.evidence):
        path.unlink(missing_ok=True)


def add_note(job: MatchJob, note: Evidence) -> None:
    """Append a note to the evidence of a match that is over."""
    with AppendOnlyFile(job.evidence) as evidence:
        evidence.read_existing()
        evidence.append(orjson.dumps(note, option=orjson.OPT_APPEND_NEWLINE))


def asker(session: Session, game: Game) -> Callable[[Any], Replies]:
    """Puts questions to live bots, and keeps the evidence.

    What happened before a bot is asked is on disk before it is asked. Answers that are recorded
    already stand.
    """
    standing = Standing(game.writer.log) if game.writer.log else None

    def ask(asked: Any) -> Replies:
        game.writer.flush()
        replies, notes = session(asked)
        if standing is not None:
            replies, notes = standing(game.writer.events, asked, replies, notes)
        for note in notes:
            game.note(note)
        return replies

    return ask


def started(job: MatchJob, rules: str) -> Event:
    """The first event of the match's log."""
    return {
        "type": "match_started",
        "format": FORMAT,
        "game": job.game,
        "rules": rules,
        "tournament": job.tournament,
        "match": job.match,
        "players": [
            {"seat": seat, "name": bot.name, "bot": bot.hash} for seat, bot in enumerate(job.bots)
        ],
        "settings": dict(job.settings),
        "seed_commitment": seal.commitment(job.seed),
    }


def conditions(job: MatchJob) -> Evidence:
    """The first line of the evidence: where and how the match was played."""
    protocol = registry.card(job.game).protocol
    grouped = job.isolation == "sandbox" and sandbox.has_cgroup()
    return {
        "format": EVIDENCE_FORMAT,
        "match": job.match,
        **surroundings(),
        "isolation": job.isolation,
        "limits": limits.in_force(job.isolation, protocol, job.settings["time_limit_s"], grouped),
        **bound(job.bots),
    }


def bound(bots: Sequence[Bot]) -> Evidence:
    """For the evidence: what the bots' sandboxes show besides, if anything."""
    paths = list(dict.fromkeys(path for bot in bots for path in bot.binds))
    return {"binds": paths} if paths else {}


def surroundings() -> Evidence:
    """Where this is."""
    return {
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }
