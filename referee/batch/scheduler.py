"""Batches: consecutive matches of a schedule that are played together.

Matches of class bots are played in lockstep. The way in which a match is played makes no difference
to its log. If a match has to leave its batch, it goes on alone, and its answers count
(:mod:`referee.protocols.class_`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from games.driving import drive_rules, next_question
from games.table import JointAsk, Result
from referee import match
from referee.batch.in_process import OwnProcesses, answerers
from referee.errors import RefereeError
from referee.match import MatchJob, OpenMatch
from referee.protocols import class_
from referee.protocols.class_ import LockstepBatch
from referee.self_contained.proof import shares_nothing
from schema.writer import LogWriter

SIZES: Mapping[str, int] = {"class": 128}
"""Maximum number of matches in a batch, by protocol; 1 for the others. At most 256."""

PROCESSES = 20
"""Maximum number of bots' processes at a time, unless a single match needs more."""

UNSHARED = 10
"""Maximum number if no two matches share one: processes that take turns displace each other from
the processor's cache."""

AT_ONCE = 8
"""Number of logs that are synced to disk at the same time."""

OPEN = 32
"""Maximum number of finished matches that wait to be synced, with their files open."""


@dataclass(frozen=True)
class Batch:
    """Matches to be played. With ``until_fault`` the first that holds a fault is the last."""

    jobs: Sequence[MatchJob]
    until_fault: bool = False


def in_batches(jobs: Iterable[MatchJob], until_fault: bool, workers: int = 1) -> Iterator[Batch]:
    """Divide a schedule into batches on demand, each run of them with one batch per worker.

    The batches of a run have the same size, so that workers end together. Matches that share no
    process make a batch if they are played at the same time.
    """
    remaining = iter(jobs)
    for job in remaining:
        most = SIZES.get(job.card.protocol, 1)
        if most > 1 and not any(map(shares_nothing, job.bots)):
            most = max(1, UNSHARED // len(job.bots))
        run = [job, *islice(remaining, workers * most - 1)]
        size = -(-len(run) // workers)
        for begin in range(0, len(run), size):
            yield Batch(run[begin : begin + size], until_fault)


def play(batch: Batch) -> list[Result]:
    """Play ``batch``, write its logs and evidence, and return the results in order.

    Raises the errors of :func:`match.play`.
    """
    results: list[Result] = []
    for play_all, group in groupby(batch.jobs, way_of):
        for result in play_all([*group]):
            results.append(result)
            if batch.until_fault and result.faults:
                return results
    return results


def way_of(job: MatchJob) -> Callable[[Sequence[MatchJob]], Iterator[Result]]:
    """Return the way to play a match: one that an earlier run has begun is played singly."""
    if job.durable or job.card.protocol not in SIZES or match.has_begun(job):
        return singly
    if job.isolation == "none" and all(map(shares_nothing, job.bots)):
        return in_process
    return in_lockstep


def singly(jobs: Sequence[MatchJob]) -> Iterator[Result]:
    """Play one match after the other, with bots of their own."""
    return map(match.play, jobs)


def in_lockstep(jobs: Sequence[MatchJob]) -> Iterator[Result]:
    """Play matches in lockstep, as many at a time as ``PROCESSES`` allows."""
    together: list[MatchJob] = []
    shared: set[str] = set()
    unshared = 0
    for job in jobs:
        proven = {bot.name for bot in job.bots if shares_nothing(bot)}
        more = len(job.bots) - len(proven)
        most = PROCESSES if shared & proven else UNSHARED
        if together and len(shared | proven) + unshared + more > most:
            yield from play_together(together)
            together, shared, unshared = [], set(), 0
        together.append(job)
        shared |= proven
        unshared += more
    yield from play_together(together)


def play_together(jobs: Sequence[MatchJob]) -> Iterator[Result]:
    """Play these matches in lockstep; in halves if files or processes do not suffice for all."""
    with ExitStack() as stack:
        matches: list[OpenMatch] = []
        try:
            for job in jobs:
                matches.append(stack.enter_context(match.open_match(job)))
            seatings = [match.seating_of(job) for job in jobs]
            batch = stack.enter_context(class_.open_batch(seatings))
        except RefereeError:
            if len(jobs) == 1:
                raise
            stack.close()  # Windows removes no open file
            for opened in matches:  # no bot was asked anything
                match.drop(opened.job)
        else:
            drive_in_lockstep(matches, batch)
            results = [opened.seal(sync=False) for opened in matches]
            sync(matches)
            yield from results
            return
    for half in jobs[: len(jobs) // 2], jobs[len(jobs) // 2 :]:
        yield from play_together(half)


def drive_in_lockstep(matches: Sequence[OpenMatch], batch: LockstepBatch) -> None:
    """Drive the rules of all matches to their end."""
    questions: dict[int, Any] = {
        number: next_question(opened.rules) for number, opened in enumerate(matches)
    }
    left: dict[int, Any] = {}
    """Questions of matches that left the batch, which go on one at a time, after the others."""
    while questions or left:
        if not questions:
            number = min(left)
            questions[number] = left.pop(number)
        first = form(next(iter(questions.values())))
        step = {at: question for at, question in questions.items() if form(question) == first}
        reactions = batch.ask(step)
        for number, question in step.items():
            del questions[number]
            if number not in reactions:
                left[number] = question
                continue
            replies, notes = reactions[number]
            for note in notes:
                matches[number].note(note)
            try:
                questions[number] = next_question(matches[number].rules, replies)
            except StopIteration:
                batch.end_match(number)


def form(question: JointAsk) -> tuple[bool, Sequence[str]]:
    """Return what questions have in common that can be asked in one step."""
    return question.observation.choices is None, question.legal


def in_process(jobs: Sequence[MatchJob]) -> Iterator[Result]:
    """Play one match after the other, with the bots in this process, if they can play there."""
    bots = [*dict.fromkeys(bot for job in jobs for bot in job.bots)]
    with answerers(bots) as answerer:
        for begin in range(0, len(jobs), OPEN):
            results, matches = [], list[OpenMatch]()
            with ExitStack() as stack:
                for job in jobs[begin : begin + OPEN]:
                    try:
                        with ExitStack() as alone:
                            opened = alone.enter_context(match.open_match(job, in_process=True))
                            drive_rules(opened.rules, answerer(opened))
                            results.append(opened.seal(sync=False))
                            matches.append(opened)
                            stack.enter_context(alone.pop_all())
                    except OwnProcesses:
                        match.drop(job)  # its files are closed, as Windows requires
                        results.append(match.play(job))
                sync(matches)
            yield from results


def sync(matches: Sequence[OpenMatch]) -> None:
    """Sync sealed logs; several take the time of one."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(LogWriter.sync, (opened.writer for opened in matches)))
