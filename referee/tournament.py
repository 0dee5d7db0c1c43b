"""A tournament: its folder, its own log, and all its matches, on one core or several.

DIR/tournament.jsonl        who plays, the seed's commitment; results; the seed at the end
DIR/matches/1-000000.jsonl  one log a match
DIR/evidence/…              what differs between two identical runs
DIR/seed.private            the seed, until it is revealed
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from pydantic import BaseModel

from games.table import Match, Played, Schedule, TournamentTable, converse
from referee import match
from referee.bots import Bot, check_names
from referee.match import MatchJob
from schema import folder as layout
from schema import seal
from schema.canonical import Event
from schema.dice import Dice
from schema.errors import UsageError
from schema.events import FORMAT, Disqualified, Standing, TournamentFinished
from schema.mapper import Mapper
from schema.registry import Card
from schema.writer import LogWriter

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


def plan(
    card: Card,
    bots: Sequence[Bot],
    settings: BaseModel,
    seed: str,
    name: str | None,
    folder: Path,
    isolation: str,
    cold: bool = False,
) -> Tournament:
    """A tournament that can be played. Without a ``name`` its seed's commitment names it.

    Raises UsageError when there are too few bots, two of one name, or the folder is in use.
    """
    try:
        card.check_number("entrants", len(bots), settings)
    except ValueError as error:
        raise UsageError(f"a tournament of {card.title}: {error}.") from None
    check_names(bots)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: expected a new or an empty folder, found something in it.")
    name = name or seal.tournament_id(seal.commitment(seed))
    return Tournament(card, bots, settings, seed, name, folder, isolation, cold)


@dataclass
class Ending:
    """How a tournament ended: the final table, best first, and who was disqualified on the way."""

    standings: list[Standing] = field(default_factory=list)
    disqualified: list[Disqualified] = field(default_factory=list)


def play(tournament: Tournament, each: Mapper, progress: Progress) -> Ending:
    """Play a whole tournament into its folder, and return how it ended.

    ``each`` plays the matches; wherever it does that, the logs are the same.
    """
    prepare(tournament.folder, tournament.seed)
    ending = Ending()
    total = 0

    def record(event: Event, clause: str) -> None:
        writer.write(event)
        if event["type"] == "tournament_finished":
            ending.standings.extend(cast(TournamentFinished, event)["standings"])
        elif event["type"] == "disqualified":
            ending.disqualified.append(cast(Disqualified, event))

    def play_all(schedule: Schedule) -> Played:
        nonlocal total
        played: Played = []
        begun: list[Match] = []
        with closing(each(match.play, jobs(tournament, schedule.matches, begun))) as results:
            for result in results:
                played.append((begun[len(played)], result))
                total += 1
                progress(total, table.planned)
                if schedule.until_fault and result.faults:
                    break
        for one in begun[len(played) :]:
            drop(job(tournament, one))
        return played

    with LogWriter(tournament.folder / layout.TOURNAMENT) as writer:
        writer.write(started(tournament))
        writer.flush()
        names = [bot.name for bot in tournament.bots]
        table = TournamentTable(names, tournament.settings, Dice(tournament.seed), record)
        converse(tournament.card.current.tournament_rules()(table), play_all)
        writer.seal("tournament", tournament.seed)
    (tournament.folder / SEED_FILE).unlink()
    return ending


def prepare(folder: Path, seed: str) -> None:
    """Make the folders, and keep the seed where only the owner can read it."""
    try:
        (folder / layout.MATCHES).mkdir(parents=True)
        (folder / layout.EVIDENCE).mkdir()
        descriptor = os.open(folder / SEED_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w") as file:  # noqa: PTH123
            file.write(f"{seed}\n")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror}.") from None


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


def drop(one: MatchJob) -> None:
    """Remove what was recorded of a match that is not kept, if it was begun at all."""
    for path in (one.log, one.evidence):
        path.unlink(missing_ok=True)


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
    )
