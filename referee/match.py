"""One match: the rules ask, the bots answer, every event is appended to the log as it happens."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from games.table import MatchTable, Replies, Result, converse
from referee import argv_protocol, class_protocol, file_protocol, scratch
from referee.bots import Bot
from referee.errors import RefereeError
from referee.protocol import Evidence, Protocol, Seating, Session
from schema import registry, seal
from schema.canonical import Event
from schema.dice import Dice
from schema.events import FORMAT
from schema.writer import LogWriter

PROTOCOLS: Mapping[str, Protocol] = {
    "argv": argv_protocol.open_session,
    "class": class_protocol.open_session,
    "file": file_protocol.open_session,
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


@dataclass
class Recorder:
    """Writes the log, and remembers how the match went."""

    writer: LogWriter
    faults: list[tuple[int, str]] = field(default_factory=list)
    finished: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, event: Event, clause: str = "") -> None:
        """Append ``event``."""
        self.writer.write(event)
        found: Mapping[str, Any] = event
        if found["type"] == "fault":
            self.faults.append((found["seat"], found["kind"]))
        elif found["type"] == "match_finished":
            self.finished = found


def play(job: MatchJob) -> Result:
    """Play ``job``, write its log and evidence, and return how it ended.

    Raises RefereeError when the log exists already, and WriteError when it cannot be written.
    """
    card = registry.card(job.game)
    settings = card.settings(job.settings)
    with ExitStack() as stack:
        try:
            job.evidence.parent.mkdir(parents=True, exist_ok=True)
            writer = stack.enter_context(LogWriter(job.log))
            evidence = stack.enter_context(job.evidence.open("wb"))
            place = stack.enter_context(scratch.folder())
            limit = job.settings["time_limit_s"]
            seating = Seating(job.bots, job.seed, place, card.scratch, limit, job.cold)
            session = stack.enter_context(PROTOCOLS[card.protocol](seating))
        except FileExistsError as error:
            raise RefereeError(f"{error.filename}: there is a log already.") from None
        except OSError as error:
            raise RefereeError(f"{error.filename}: {error.strerror}.") from error
        record = Recorder(writer)
        record(started(job, card.rules))

        def keep(note: Evidence) -> None:
            evidence.write(orjson.dumps(note, option=orjson.OPT_APPEND_NEWLINE))

        keep(conditions(job))
        names = [bot.name for bot in job.bots]
        table = MatchTable(names, settings, Dice(job.seed), record)
        converse(card.current.match_rules()(table), asker(session, writer, keep))
        digest = writer.seal("match", job.seed)
    return Result(
        reason=record.finished["reason"],
        scores=tuple(record.finished["scores"]),
        winners=tuple(record.finished["winners"]),
        faults=tuple(record.faults),
        seal=digest,
    )


def asker(
    session: Session, writer: LogWriter, keep: Callable[[Evidence], None]
) -> Callable[[Any], Replies]:
    """Puts questions to live bots, and keeps the evidence.

    What happened before a bot is asked is on disk before it is asked.
    """

    def ask(asked: Any) -> Replies:
        writer.flush()
        replies, notes = session(asked)
        for note in notes:
            keep({"seq": writer.events} | note)
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
    return {
        "format": "koth-evidence/1",
        "match": job.match,
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "isolation": job.isolation,
    }
