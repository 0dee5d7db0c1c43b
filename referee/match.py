"""Play one match: the rules ask, the bots answer, and each event is appended to the log at once."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import orjson

from games.driving import drive_rules
from games.recorded import result_of
from games.table import MatchRules, MatchTable, Replies, Result
from referee.bot import Bot
from referee.errors import RefereeError
from referee.event_validation import EventValidator
from referee.protocols import class_, script, stream, system
from referee.protocols.base import Evidence, Protocol, Seating, Session
from referee.recorded_answers import RecordedAnswers
from referee.roster.functions import FunctionBot
from schema import reader, registry, seal
from schema.canonical import Event
from schema.card import Card
from schema.dice import Dice
from schema.errors import CorruptLog, GameError
from schema.events import FORMAT
from schema.files import first_line
from schema.log_path import path_text
from schema.reader import IncompleteLog
from schema.writer import AppendOnlyFile, LogWriter

EVIDENCE_FORMAT = "koth-evidence/1"

PROTOCOLS: Mapping[str, Protocol] = {
    "argv": script.open_session,
    "class": class_.open_session,
    "file": script.open_session,
    "stream": stream.open_session,
}
"""Protocols, by the name in a game's card."""


@dataclass(frozen=True)
class MatchJob:
    """Everything that a worker needs to play one match."""

    game: str
    rules: str
    """The rules version."""
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
    """Whether scripts start a fresh interpreter for each decision instead of a warm one."""
    again: bool = False
    """Whether an earlier run may have recorded the match or a part of it."""
    durable: bool = False
    """Whether to sync every decision to disk, and not only the seal."""

    @property
    def card(self) -> Card:
        """The game's card, with the rules version of this match."""
        return registry.card_under(self.game, self.rules)


@dataclass
class Recorder:
    """Write the log, and keep the faults and the result."""

    writer: LogWriter
    faults: list[tuple[int, str]] = field(default_factory=list)
    finished: Mapping[str, Any] = field(default_factory=dict)
    validator: EventValidator | None = None
    """Checks the events of third-party games before they are written."""

    def __call__(self, event: Event, clause: str) -> None:
        """Append ``event``. Raises GameError for an invalid event of a third-party game."""
        if self.validator is not None:
            self.validator.event(event, clause)
        self.writer.write(event)
        fields: Mapping[str, Any] = event
        if fields["type"] == "fault":
            self.faults.append((fields["seat"], fields["kind"]))
        elif fields["type"] == "match_finished":
            self.finished = fields


def play(job: MatchJob) -> Result:
    """Play ``job``, write its log and evidence, and return the result.

    Answers that an earlier run recorded count. Raises RefereeError if the log exists and the match
    is not played ``again``, WriteError if a file cannot be written, and a LogError if the recorded
    log is damaged or belongs to another match.
    """
    if (recorded := recorded_result(job)) is not None:
        return recorded
    protocol = PROTOCOLS[job.card.protocol]
    with open_match(job) as match, ExitStack() as stack:
        try:
            session = stack.enter_context(protocol(seating_of(job)))
        except OSError as error:
            raise RefereeError(f"{error.filename}: {error.strerror}.") from error
        drive_rules(match.rules, answerer(session, match))
        return match.seal()


def open_session(
    card: Card,
    bots: Sequence[Bot],
    seed: str,
    settings: Mapping[str, Any],
    cold: bool,
    isolation: str,
) -> AbstractContextManager[Session]:
    """Open a session with bots, by seat, in the protocol of the game's card."""
    seating = Seating(bots, seed, card.scratch, settings["time_limit_s"], cold, isolation)
    return PROTOCOLS[card.protocol](seating)


def expect(card: Card, bots: Sequence[Bot], cold: bool, isolation: str) -> None:
    """Begin to start what sessions with ``bots`` need. Each session can do without it."""
    if card.protocol == "class":
        class_.expect(bots, isolation)
    else:
        system.expect(bots, isolation, cold)


def seating_of(job: MatchJob) -> Seating:
    """Return the facts about a match that its protocol needs."""
    limit = job.settings["time_limit_s"]
    return Seating(job.bots, job.seed, job.card.scratch, limit, job.cold, job.isolation)


@dataclass
class OpenMatch:
    """A match that is being played: its rules, its log and its evidence."""

    job: MatchJob
    writer: LogWriter
    record: Recorder
    rules: MatchRules
    evidence: AppendOnlyFile

    def append(self, line: Evidence) -> None:
        """Append a line to the evidence."""
        self.evidence.append(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))

    def note(self, note: Evidence) -> None:
        """Append a note on the next event of the log."""
        self.append({"seq": self.writer.events} | note)

    def seal(self, sync: bool = True) -> Result:
        """Seal the log and return the result. Without ``sync`` the caller has to sync the log.

        Raises GameError if the rules ended without a result.
        """
        if not self.record.finished:
            raise GameError(
                f"{self.job.log}: the rules of {self.job.game} ended without a result; expected a "
                "call of table.finish."
            )
        digest = self.writer.seal("match", self.job.seed, sync)
        return result_of(self.record.finished, self.record.faults, digest)


def recorded_result(job: MatchJob) -> Result | None:
    """Return the result if an earlier run recorded the whole match.

    Raises a LogError if its log is damaged or belongs to another match.
    """
    if not (job.again and job.log.exists()):
        return None
    try:
        log = reader.read(job.log)
    except IncompleteLog:
        return None
    if log.start != start_event(job) or log.seal["seed"] != job.seed:
        problem = f"expected match {job.match} of this tournament, found the log of another"
        raise CorruptLog(job.log, 1, problem)
    events = cast(list[dict[str, Any]], log.events)
    last = events[-2]
    if last["type"] != "match_finished":
        problem = f"expected match_finished before the seal, found {last['type']}"
        raise CorruptLog(job.log, len(events) - 1, problem)
    faults = [(event["seat"], event["kind"]) for event in events if event["type"] == "fault"]
    return result_of(last, faults, log.seal["sha256"])


def has_begun(job: MatchJob) -> bool:
    """Return whether an earlier run recorded a line of the match. Raises OSError."""
    return job.again and job.log.exists() and first_line(job.log).endswith(b"\n")


@contextmanager
def open_match(job: MatchJob, in_process: bool = False) -> Iterator[OpenMatch]:
    """Open log and evidence of a match, and write the first line of each.

    With ``in_process``, its bots run in this process, without limits.
    Raises RefereeError if a log exists and the match is not played ``again``, or if a file cannot
    be made, and a LogError if the existing log is damaged.
    """
    card = job.card
    settings = card.settings(job.settings)
    is_new = not (job.again or os.path.lexists(job.log))
    with ExitStack() as stack:
        try:
            job.evidence.parent.mkdir(parents=True, exist_ok=True)
            writer = LogWriter(job.log, again=job.again, durable=job.durable)
            stack.enter_context(writer)
            evidence = AppendOnlyFile(job.evidence, 0 if writer.log else os.O_TRUNC)
            stack.enter_context(evidence).read_existing()
        except FileExistsError as error:
            problem = "there is a log already"
            if error.filename == str(job.evidence.parent):
                problem = "expected a folder for evidence, found a file"
            raise RefereeError(f"{error.filename}: {problem}.") from None
        except OSError as error:
            if is_new:
                with suppress(OSError):
                    job.log.unlink()
            raise RefereeError(f"{error.filename}: {error.strerror}.") from error
        validator = None if card.built_in else EventValidator(card, job.log)
        record = Recorder(writer, validator=validator)
        record(start_event(job), "")
        names = [bot.name for bot in job.bots]
        table = MatchTable(names, settings, Dice(job.seed), record)
        rules = card.current.match_rules()(table)
        if validator is not None:
            rules = validator.validated(rules, len(names))
        match = OpenMatch(job, writer, record, rules, evidence)
        match.append(conditions(job, in_process))
        yield match


def drop(job: MatchJob) -> None:
    """Remove log and evidence of a match, if they exist."""
    for path in (job.log, job.evidence):
        path.unlink(missing_ok=True)


def add_note(job: MatchJob, note: Evidence) -> None:
    """Append a note to the evidence of a finished match."""
    with AppendOnlyFile(job.evidence) as evidence:
        evidence.read_existing()
        evidence.append(orjson.dumps(note, option=orjson.OPT_APPEND_NEWLINE))


def answerer(session: Session, match: OpenMatch) -> Callable[[Any], Replies]:
    """Return a function that puts questions to live bots and writes the evidence.

    It writes all earlier events to disk before it asks. Recorded answers replace those of the bots.
    """
    recorded = RecordedAnswers(match.writer.log) if match.writer.log else None

    def answer(questions: Any) -> Replies:
        match.writer.flush()
        replies, notes = session(questions)
        if recorded is not None:
            replies, notes = recorded.replace(match.writer.events, questions, replies, notes)
        for note in notes:
            match.note(note)
        return replies

    return answer


def start_event(job: MatchJob) -> Event:
    """Return the first event of the match's log."""
    return {
        "type": "match_started",
        "format": FORMAT,
        "game": job.game,
        "rules": job.rules,
        "tournament": job.tournament,
        "match": job.match,
        "players": [
            {"seat": seat, "name": bot.name, "bot": bot.hash} for seat, bot in enumerate(job.bots)
        ],
        "settings": dict(job.settings),
        "seed_commitment": seal.commitment(job.seed),
    }


def conditions(job: MatchJob, in_process: bool) -> Evidence:
    """Return the first line of the evidence: where and how the match is played."""
    limits: dict[str, object] = {}
    if not in_process:
        limits = system.limits_in_force(job.isolation, job.settings["time_limit_s"])
    return {
        "format": EVIDENCE_FORMAT,
        "match": job.match,
        **host_facts(),
        "isolation": job.isolation,
        "limits": limits,
        **shown_paths(job.bots),
        **seats_in_process(job.bots),
    }


def shown_paths(bots: Sequence[Bot]) -> Evidence:
    """Return, for the evidence, the paths that ``--bind`` shows in the bots' sandboxes, if any."""
    paths = list(dict.fromkeys(path_text(path) for bot in bots for path in bot.binds))
    return {"binds": paths} if paths else {}


def seats_in_process(bots: Sequence[Bot]) -> Evidence:
    """Return, for the evidence, the seats whose bots are functions in this process, if any."""
    seats = [seat for seat, bot in enumerate(bots) if isinstance(bot, FunctionBot)]
    return {"in_process": seats} if seats else {}


def host_facts() -> Evidence:
    """Return, for the evidence, host, system and Python version."""
    return {
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }
