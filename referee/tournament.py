"""A tournament: its folder, its own log, and all its matches, on one core or several.

DIR/tournament.jsonl        who plays, the seed's commitment; results; the seed at the end
DIR/matches/1-000000.jsonl  one log a match
DIR/evidence/…              what differs between two identical runs; how to go on with it
DIR/seed.private            the seed, until it is revealed
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import cast

import orjson
from pydantic import BaseModel

from games.table import Match, Played, Schedule, TournamentTable, drive_rules
from referee import match, play_order
from referee.batch import scheduler
from referee.bot import Bot, check_names
from referee.event_validation import EventValidator
from referee.match import MatchJob
from referee.protocols.base import Evidence
from schema import discovery as layout
from schema import seal
from schema.canonical import Event
from schema.dice import Dice
from schema.errors import UsageError
from schema.events import FORMAT, Disqualified, MatchPlayed, Standing, TournamentFinished
from schema.executor import Mapper
from schema.registry import Card
from schema.writer import AppendOnlyFile, LogWriter

SEED_FILE = layout.SEED

Progress = Callable[[int, int], None]
"""Hears how many matches are played, of how many."""


@dataclass(frozen=True)
class Tournament:
    """A tournament to be played: what its log begins with, and where it goes."""

    card: Card
    bots: Sequence[Bot]
    settings: BaseModel
    seed: str
    name: str
    folder: Path
    isolation: str
    cold: bool = False
    durable: bool = False
    words: Sequence[str] = ()
    """How the bots were named, so that they are found again."""
    again: bool = False
    """Whether it goes on with what an earlier run has left in the folder."""


def plan(
    card: Card,
    bots: Sequence[Bot],
    settings: BaseModel,
    seed: str,
    name: str | None,
    folder: Path,
    isolation: str,
    cold: bool = False,
    durable: bool = False,
    words: Sequence[str] = (),
) -> Tournament:
    """A tournament that can be played. Without a ``name`` its seed's commitment names it.

    Raises UsageError when there are too few bots, two of one name, or the folder is in use, and
    CardError for a game that is broken.
    """
    card.current.check()
    try:
        card.check_number("entrants", len(bots), settings)
    except ValueError as error:
        raise UsageError(f"a tournament of {card.title}: {error}.") from None
    check_names(bots)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: expected a new or an empty folder, found something in it.")
    name = name or seal.tournament_id(seal.commitment(seed))
    return Tournament(card, bots, settings, seed, name, folder, isolation, cold, durable, words)


@dataclass
class Ending:
    """How a tournament ended: the final table, best first, who was disqualified, who failed."""

    standings: list[Standing] = field(default_factory=list)
    disqualified: list[Disqualified] = field(default_factory=list)
    faults: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """How often each entrant failed, by kind."""


def play(tournament: Tournament, each: Mapper, progress: Progress) -> Ending:
    """Play a whole tournament into its folder, or what is left of it; return how it ended.

    ``each`` plays the matches; wherever it does that, the logs are the same.
    """
    if not tournament.again:
        prepare(tournament)
    log = tournament.folder / layout.TOURNAMENT
    holding = None if tournament.card.built_in else EventValidator(tournament.card, log)
    ending = Ending()
    total = 0

    def record(event: Event, clause: str = "") -> None:
        if holding is not None:
            holding.event(writer.events, event)
        writer.write(event)
        if event["type"] == "tournament_finished":
            ending.standings.extend(cast(TournamentFinished, event)["standings"])
        elif event["type"] == "disqualified":
            ending.disqualified.append(cast(Disqualified, event))
        elif event["type"] == "match_played":
            played = cast(MatchPlayed, event)
            for fault in played["faults"]:
                ending.faults[played["seats"][fault["seat"]]][fault["kind"]] += 1

    def play_all(schedule: Schedule) -> Played:
        nonlocal total
        writer.flush()
        played: Played = []
        begun: list[Match] = []
        matches = iter(schedule.matches)
        if holding is not None:
            matches = holding.matches(matches, len(tournament.bots))
        in_order = schedule.until_fault or tournament.card.protocol in scheduler.SIZES
        if not in_order:
            scheduled = list(matches)
            matches = play_order.spread(scheduled)
        planned = jobs(tournament, matches, begun)
        parts = scheduler.in_batches(planned, schedule.until_fault)
        with closing(each(scheduler.play, parts)) as results:
            for result in chain.from_iterable(results):
                played.append((begun[len(played)], result))
                total += 1
                progress(total, table.planned)
                if schedule.until_fault and result.faults:
                    break
        earlier = matches if tournament.again else ()
        left = [job(tournament, one) for one in chain(begun[len(played) :], earlier)]
        dropped = [one.match for one in left if one.log.exists()]
        if dropped and played and played[-1][1].faults:
            last, result = played[-1]
            seats = [seat for seat, _ in result.faults]
            match.add_note(job(tournament, last), {"seat": seats[0], "not_kept": dropped})
        for one in left:
            match.drop(one)
        if in_order:
            return played
        results_of = dict(played)
        return [(one, results_of[one]) for one in scheduled]

    with (
        scheduler.idle_helpers_ended(),
        LogWriter(log, again=tournament.again, durable=tournament.durable) as writer,
        AppendOnlyFile(layout.evidence(log)) as evidence,
    ):
        evidence.read_existing()
        evidence.append(orjson.dumps(conditions(tournament), option=orjson.OPT_APPEND_NEWLINE))
        record(started(tournament))
        writer.flush()
        writer.sync()  # it is bound to its seed from here on
        names = [bot.name for bot in tournament.bots]
        table = TournamentTable(names, tournament.settings, Dice(tournament.seed), record)
        drive_rules(tournament.card.current.tournament_rules()(table), play_all)
        writer.seal("tournament", tournament.seed)
    (tournament.folder / SEED_FILE).unlink(missing_ok=True)
    return ending


def prepare(tournament: Tournament) -> None:
    """Make the folders, and keep the seed where only the owner can read it."""
    folder = tournament.folder
    try:
        (folder / layout.MATCHES).mkdir(parents=True)
        (folder / layout.EVIDENCE).mkdir()
        with AppendOnlyFile(folder / SEED_FILE, os.O_EXCL, 0o600) as file:
            file.append(f"{tournament.seed}\n".encode())
            file.sync()
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror}.") from None


def conditions(tournament: Tournament) -> Evidence:
    """What the evidence of a tournament holds: how it is played, and the words for its bots."""
    return {
        "format": match.EVIDENCE_FORMAT,
        "tournament": tournament.name,
        **match.surroundings(),
        "isolation": tournament.isolation,
        "cold": tournament.cold,
        "bots": list(tournament.words),
        "seed_file": identity(tournament.folder / SEED_FILE),
        **match.bound(tournament.bots),
    }


def identity(path: Path) -> str:
    """What tells a file of this machine from its copies: device, number, time of last change."""
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{status.st_dev}:{status.st_ino}:{status.st_ctime_ns}"


def started(tournament: Tournament) -> dict[str, object]:
    """The first event of the tournament's log."""
    return {
        "type": "tournament_started",
        "format": FORMAT,
        "game": tournament.card.name,
        "rules": tournament.card.rules,
        "tournament": tournament.name,
        "entrants": [
            {"entrant": number, "name": bot.name, "bot": bot.hash}
            for number, bot in enumerate(tournament.bots)
        ],
        "settings": tournament.settings.model_dump(),
        "seed_commitment": seal.commitment(tournament.seed),
    }


def jobs(
    tournament: Tournament, matches: Iterable[Match], begun: list[Match]
) -> Iterator[MatchJob]:
    """The work for each of ``matches``, as it is asked for; they are noted in ``begun``."""
    for one in matches:
        begun.append(one)
        yield job(tournament, one)


def job(tournament: Tournament, one: Match) -> MatchJob:
    """What a worker needs to play one match of the schedule."""
    log = tournament.folder / layout.MATCHES / f"{one.id}.jsonl"
    return MatchJob(
        game=tournament.card.name,
        tournament=tournament.name,
        match=one.id,
        bots=tuple(tournament.bots[entrant] for entrant in one.seats),
        settings=tournament.settings.model_dump(),
        seed=seal.match_seed(tournament.seed, one.id),
        log=log,
        evidence=layout.evidence(log),
        isolation=tournament.isolation,
        cold=tournament.cold,
        again=tournament.again,
        durable=tournament.durable,
    )
