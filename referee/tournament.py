"""Play a tournament: its folder, its own log, and all its matches, on one core or several.

DIR/tournament.jsonl        entrants and the seed's commitment; results; the seed at the end
DIR/matches/1-000000.jsonl  one log per match
DIR/evidence/…              facts that differ between identical runs; how to resume it
DIR/seed.private            the seed, until it is revealed
"""

from __future__ import annotations

import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import cast

import orjson
from pydantic import BaseModel

from games.driving import drive_rules
from games.table import Match, Played, Schedule, TournamentTable
from referee import play_order
from referee.batch import scheduler
from referee.bot import Bot, check_names
from referee.event_validation import EventValidator
from referee.match import (
    EVIDENCE_FORMAT,
    MatchJob,
    add_note,
    drop,
    host_facts,
    shown_paths,
)
from referee.protocols.base import Evidence
from schema import discovery as layout
from schema import seal, tournament_tree
from schema.canonical import Event
from schema.card import Card
from schema.dice import Dice
from schema.errors import KothError, UsageError
from schema.events import FORMAT, MatchPlayed, Standing, TournamentFinished
from schema.executor import Mapper, Progress, serial
from schema.files import first_line, last_line, making, open_regular, refuse_used
from schema.log_path import path_text, shell_word
from schema.writer import AppendOnlyFile, LogWriter, WriteError

SEED_FILE = layout.SEED

STAGING_PREFIX = ".away-"
"""Start of the name of a hidden folder that the workers of a cluster write into."""


class NotBegun(KothError):
    """Raised when a tournament's folder cannot be written before the first line of its log."""

    def __init__(self, folder: Path, reason: str | None) -> None:
        remedy = "Nothing is in it. Free space or repair the disk, then repeat the command."
        super().__init__(f"{folder}: could not be written: {reason}. {remedy}")


@dataclass(frozen=True)
class Tournament:
    """A tournament to be played, with the contents of its first event and its folder."""

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
    """The words that named the bots, so that a resumed tournament finds them."""
    again: bool = False
    """Whether to resume from the files of an earlier run."""
    pairings: Sequence[tuple[int, int]] | None = None
    """The pairs of entrants that play each other, ascending; None if all do."""


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
    """Return a tournament to be played. Without a ``name`` its seed's commitment names it.

    Raises UsageError for a wrong number of bots, equal names or a folder in use, and CardError for
    a broken game.
    """
    card.current.check()
    try:
        card.check_number("entrants", len(bots), settings)
    except ValueError as error:
        raise UsageError(f"a tournament of {card.title}: {error}.") from None
    check_names(bots)
    hint = ""
    if (folder / SEED_FILE).exists():
        hint = " Its tournament was stopped before its first match. Name another folder."
        if was_begun(folder):
            hint = f" `koth resume {shell_word(folder)}` goes on with its tournament."
    refuse_used(folder, hint)
    name = name or seal.tournament_id(seal.commitment(seed))
    return Tournament(card, bots, settings, seed, name, folder, isolation, cold, durable, words)


def remove_staging(folder: Path) -> None:
    """Remove what the workers of a cluster left in a tournament's folder when it was killed."""
    for staging in folder.glob(f"{STAGING_PREFIX}*"):
        shutil.rmtree(staging, ignore_errors=True)


def was_begun(folder: Path) -> bool:
    """Return whether the log of a tournament has its first line, which binds it to its seed."""
    try:
        return first_line(folder / layout.TOURNAMENT).endswith(b"\n")
    except FileNotFoundError:
        return False


def sealed_matches(folder: Path) -> int:
    """Return the number of matches in a tournament's folder that were played to their end."""
    sealed = 0
    for log in (folder / layout.MATCHES).glob("*.jsonl"):
        with open_regular(log) as file:
            sealed += b'"type":"match_sealed"' in last_line(file, seal.MAX_BYTES)
    return sealed


@dataclass
class Ending:
    """The end of a tournament: final table and faults."""

    standings: list[Standing] = field(default_factory=list)
    """The best entrant first."""
    faults: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Number of faults of each entrant, by kind."""

    def add(self, event: Event) -> None:
        """Take in an event of the tournament's log."""
        if event["type"] == "tournament_finished":
            self.standings.extend(cast(TournamentFinished, event)["standings"])
        elif event["type"] == "match_played":
            played = cast(MatchPlayed, event)
            for fault in played["faults"]:
                self.faults[played["seats"][fault["seat"]]][fault["kind"]] += 1


def play(
    tournament: Tournament,
    each: Mapper,
    progress: Progress,
    tell: Callable[[Event], object] = lambda event: None,
) -> Ending:
    """Play a tournament, or the rest of it, into its folder; return how it ended.

    ``each`` plays the matches. The logs do not depend on where it plays them. ``progress`` is
    called after each match, and ``tell`` with each event of the tournament's log.
    """
    log = tournament.folder / layout.TOURNAMENT
    with (
        _prepared(tournament),
        LogWriter(log, again=tournament.again, durable=tournament.durable) as writer,
        AppendOnlyFile(layout.evidence(log)) as evidence,
    ):
        evidence.read_existing()
        evidence.append(orjson.dumps(conditions(tournament), option=orjson.OPT_APPEND_NEWLINE))
        run = _Run(tournament, each, progress, tell, writer)
        run.record(started(tournament), "")
        writer.flush()
        writer.sync()  # from here on the tournament is bound to its seed
        drive_rules(tournament.card.current.tournament_rules()(run.table), run.play_schedule)
        if run.validator is not None:
            run.validator.end()
        if tournament.again:
            writer.flush()
            refuse_added(log)
        writer.seal("tournament", tournament.seed)
    (tournament.folder / SEED_FILE).unlink(missing_ok=True)
    return run.ending


class _Run:
    """A tournament that is being played."""

    def __init__(
        self,
        tournament: Tournament,
        each: Mapper,
        progress: Progress,
        tell: Callable[[Event], object],
        writer: LogWriter,
    ) -> None:
        self.tournament, self.each, self.progress, self.tell = tournament, each, progress, tell
        self.writer = writer
        card = tournament.card
        self.validator = None if card.built_in else EventValidator(card, writer.path)
        names = [bot.name for bot in tournament.bots]
        dice = Dice(tournament.seed)
        self.table = TournamentTable(
            names, tournament.settings, dice, self.record, tournament.pairings
        )
        self.ending = Ending()
        self.total = 0
        """Number of matches played."""

    def record(self, event: Event, clause: str) -> None:
        """Validate an event of a third-party game and append it to the log."""
        if self.validator is not None:
            self.validator.event(event, clause)
        self.writer.write(event)
        self.ending.add(event)
        self.tell(event)

    def play_schedule(self, schedule: Schedule) -> Played:
        """Play the matches of a schedule; return the results in its order."""
        self.writer.flush()
        if self.validator is None:
            return self._in_order(schedule, iter(schedule.matches))
        entrants = len(self.tournament.bots)
        matches = self.validator.matches(schedule, entrants, self.table.plays)
        played = self._in_order(schedule, matches)
        self.validator.results(played)
        return played

    def _in_order(self, schedule: Schedule, matches: Iterator[Match]) -> Played:
        if schedule.until_fault or self.tournament.card.protocol in scheduler.SIZES:
            return self._play_matches(matches, schedule.until_fault)
        scheduled = list(matches)
        results = dict(self._play_matches(play_order.spread(scheduled), until_fault=False))
        return [(match, results[match]) for match in scheduled]

    def _play_matches(self, matches: Iterator[Match], until_fault: bool) -> Played:
        """Play matches in this order, up to the first fault if ``until_fault``."""
        begun: list[Match] = []
        played: Played = []
        scheduled = jobs(self.tournament, matches, begun)
        workers = 1 if self.each is serial else 2  # or more, which a mapper does not tell
        batches = scheduler.in_batches(scheduled, until_fault, workers)
        with closing(self.each(scheduler.play, batches)) as results:
            for result in chain.from_iterable(results):
                played.append((begun[len(played)], result))
                self.total += 1
                self.progress(self.total, self.table.planned)
                if until_fault and result.faults:
                    break
        earlier = matches if self.tournament.again else ()
        self._drop(played, chain(begun[len(played) :], earlier))
        return played

    def _drop(self, played: Played, rest: Iterable[Match]) -> None:
        """Remove matches after the fault that ended the schedule, and note this in the evidence."""
        dropped = [job(self.tournament, match) for match in rest]
        recorded = [dropped_job.match for dropped_job in dropped if dropped_job.log.exists()]
        if recorded:
            last, result = played[-1]
            seat, _ = result.faults[0]
            note: Evidence = {"seat": seat, "not_kept": recorded}
            add_note(job(self.tournament, last), note)
        for dropped_job in dropped:
            drop(dropped_job)


@contextmanager
def _prepared(tournament: Tournament) -> Iterator[None]:
    """Make the folders of a tournament for the block, in which its log gets its first line.

    If it gets none, because a write fails or an interrupt comes, the folder is empty again, and the
    same command can be repeated. A folder that another command has just made is wrong usage, and
    stays. Raises NotBegun, OSError.
    """
    folder = tournament.folder
    try:
        if tournament.again:
            for name in (layout.MATCHES, layout.EVIDENCE):
                (folder / name).mkdir(exist_ok=True)
        else:
            prepare(tournament)
        yield
    except (OSError, WriteError, KeyboardInterrupt) as error:
        if was_begun(folder):
            raise
        for name in (layout.MATCHES, layout.EVIDENCE):
            shutil.rmtree(folder / name, ignore_errors=True)
        for name in (SEED_FILE, layout.TOURNAMENT):
            (folder / name).unlink(missing_ok=True)
        if isinstance(error, WriteError):
            raise NotBegun(folder, error.reason) from error
        raise


def prepare(tournament: Tournament) -> None:
    """Make the folders, and store the seed in a file that only its owner can read."""
    folder = tournament.folder
    with making(folder):
        (folder / layout.MATCHES).mkdir(parents=True)
        (folder / layout.EVIDENCE).mkdir()
        with AppendOnlyFile(folder / SEED_FILE, os.O_EXCL, 0o600) as file:
            file.append(f"{tournament.seed}\n".encode())
            file.sync()


def refuse_added(log: Path) -> None:
    """Raise UsageError if there is a log among the matches that the tournament's log has not."""
    if added := tournament_tree.added_log(log, tournament_tree.played(log)):
        raise UsageError(
            f"{added}: expected no such match in this tournament, found its log. Move it out of "
            "the folder, then go on."
        )


def conditions(tournament: Tournament) -> Evidence:
    """Return a line of evidence: how the tournament is played, and the words that name its bots."""
    return {
        "format": EVIDENCE_FORMAT,
        "tournament": tournament.name,
        **host_facts(),
        "isolation": tournament.isolation,
        "cold": tournament.cold,
        "bots": [path_text(word) for word in tournament.words],
        "seed_file": identity(tournament.folder / SEED_FILE),
        **shown_paths(tournament.bots),
    }


def identity(path: Path) -> str:
    """Return device, inode and time of the last status change, in which copies of a file differ."""
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{status.st_dev}:{status.st_ino}:{status.st_ctime_ns}"


def started(tournament: Tournament) -> dict[str, object]:
    """Return the first event of the tournament's log."""
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
        **({} if tournament.pairings is None else {"pairings": tournament.pairings}),
        "seed_commitment": seal.commitment(tournament.seed),
    }


def jobs(
    tournament: Tournament, matches: Iterable[Match], begun: list[Match]
) -> Iterator[MatchJob]:
    """Yield the jobs of ``matches`` on demand, and append each match to ``begun``."""
    for match in matches:
        begun.append(match)
        yield job(tournament, match)


def job(tournament: Tournament, match: Match) -> MatchJob:
    """Return the job of one match of the schedule."""
    log = tournament.folder / layout.MATCHES / f"{match.id}.jsonl"
    return MatchJob(
        game=tournament.card.name,
        rules=tournament.card.rules,
        tournament=tournament.name,
        match=match.id,
        bots=tuple(tournament.bots[entrant] for entrant in match.seats),
        settings=tournament.settings.model_dump(),
        seed=seal.match_seed(tournament.seed, match.id, match.dice),
        log=log,
        evidence=layout.evidence(log),
        isolation=tournament.isolation,
        cold=tournament.cold,
        again=tournament.again,
        durable=tournament.durable,
    )
