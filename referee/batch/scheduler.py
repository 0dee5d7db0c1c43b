"""Batches: matches of class bots that follow each other in a schedule, and are played in step.

Where a match is played makes no difference to its log. Nothing that was answered in a batch is
forgotten: matches leave the others where they have to (see class_protocol), and go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from games.table import JointAsk, Replies, Result, drive_rules
from referee import match
from referee.batch import in_process
from referee.errors import RefereeError
from referee.match import Game, MatchJob
from referee.pools import class_helpers
from referee.protocols import class_
from referee.protocols.base import Evidence
from referee.protocols.class_ import Table
from referee.self_contained.proof import shares_nothing
from schema import registry
from schema.writer import LogWriter

SIZES: Mapping[str, int] = {"class": 128}
"""How many matches make a block, by protocol; of others each match is one."""

PROCESSES = {"none": 20, "process": 20, "sandbox": 20}
"""How many processes play at the same time, by isolation, unless one match needs more."""

AT_ONCE = 8
"""How many logs are synced to the disk at the same time."""

OPEN = 32
"""How many matches that are over wait to be synced, with their files still open."""


@dataclass(frozen=True)
class Block:
    """Matches to be played. With ``until_fault`` the first that holds a fault is the last."""

    jobs: Sequence[MatchJob]
    until_fault: bool = False


@contextmanager
def waiting_ended() -> Iterator[None]:
    """After the block no process waits for more matches to play."""
    try:
        yield
    finally:
        class_helpers.close()


def in_blocks(jobs: Iterable[MatchJob], until_fault: bool) -> Iterator[Block]:
    """A schedule in blocks, which depend on nothing else; they are drawn as they are needed."""
    gathered: list[MatchJob] = []
    for job in jobs:
        gathered.append(job)
        if len(gathered) >= SIZES.get(registry.card(job.game).protocol, 1):
            yield Block(gathered, until_fault)
            gathered = []
    if gathered:
        yield Block(gathered, until_fault)


def play(block: Block) -> list[Result]:
    """Play ``block``, write its logs and evidence, and return how its matches ended, in order.

    Raises what :func:`match.play` raises.
    """
    results = (WAYS[how](list(jobs)) for how, jobs in groupby(block.jobs, way))
    kept: list[Result] = []
    for result in chain.from_iterable(results):
        kept.append(result)
        if block.until_fault and result.faults:
            break
    return kept


def way(job: MatchJob) -> str:
    """How a match is played: what an earlier run has begun goes on by itself."""
    if job.durable or registry.card(job.game).protocol not in SIZES or match.has_begun(job):
        return "singly"
    if job.isolation == "none" and all(map(shares_nothing, job.bots)):
        return "inside"
    return "in step"


def singly(jobs: Sequence[MatchJob]) -> Iterator[Result]:
    """The matches, one after the other."""
    return map(match.play, jobs)


# --- in step -------------------------------------------------------------------------------------


def in_step(jobs: Sequence[MatchJob]) -> Iterator[Result]:
    """The matches, as many in step as processes allow."""
    most = PROCESSES[jobs[0].isolation]
    together: list[MatchJob] = []
    shared: set[str] = set()
    single = 0
    for job in jobs:
        proven = {bot.name for bot in job.bots if shares_nothing(bot)}
        if together and len(shared | proven) + single + len(job.bots) - len(proven) > most:
            yield from lockstep(together)
            together, shared, single = [], set(), 0
        together.append(job)
        shared |= proven
        single += len(job.bots) - len(proven)
    yield from lockstep(together)


def lockstep(jobs: Sequence[MatchJob]) -> Iterator[Result]:
    """All of these matches in step."""
    with ExitStack() as stack:
        games: list[Game] = []
        try:
            for job in jobs:
                games.append(stack.enter_context(match.begun(job)))
            seatings = [match.seating(registry.card(job.game), job) for job in jobs]
            table = stack.enter_context(class_.open_table(seatings))
        except RefereeError:  # too many files, perhaps: fewer matches need fewer
            if len(jobs) == 1:
                raise
            for game in games:  # nobody was asked anything
                match.drop(game.job)
        else:
            converse_in_step(games, table)
            results = [game.seal(sync=False) for game in games]
            sync(games)
            yield from results
            return
    for half in jobs[: len(jobs) // 2], jobs[len(jobs) // 2 :]:
        yield from lockstep(half)


def converse_in_step(games: Sequence[Game], table: Table) -> None:
    """Drive the rules of all games to their end."""
    asked: dict[int, Any] = {number: next(game.rules) for number, game in enumerate(games)}

    def go_on(number: int, replies: Replies, notes: Sequence[Evidence]) -> None:
        game = games[number]
        for note in notes:
            game.note(note)
        try:
            asked[number] = game.rules.send(replies)
        except StopIteration:
            table.over(number)

    while asked:
        alike = same_shape(asked)
        asked = {} if len(alike) == len(asked) else without(asked, alike)
        for number, reaction in table(alike).items():
            go_on(number, *reaction)
        while table.parted and not asked:  # one at a time, when the others are done
            number = min(table.parted)
            go_on(number, *table.rejoin(number))
            while number in asked:
                for again, reaction in table({number: asked.pop(number)}).items():
                    go_on(again, *reaction)


def without(asked: Mapping[int, Any], others: Mapping[int, Any]) -> dict[int, Any]:
    """What is asked in matches other than these."""
    return {number: ask for number, ask in asked.items() if number not in others}


def same_shape(asked: Mapping[int, JointAsk]) -> dict[int, JointAsk]:
    """Of what is asked in matches, what can be asked in step with the first."""
    first = next(iter(asked.values()))
    begins, legal = first.observation.choices is None, first.legal
    return {
        number: ask
        for number, ask in asked.items()
        if (ask.observation.choices is None) == begins and ask.legal == legal
    }


# --- in this process -----------------------------------------------------------------------------


def inside(jobs: Sequence[MatchJob]) -> Iterator[Result]:
    """One match after the other, with bots in this very process."""
    games: list[Game] = []

    def sync_and_close() -> None:
        sync(games)
        games.clear()
        opened.close()

    with ExitStack() as opened, in_process.guests(jobs) as hosted:
        try:
            for job in jobs:
                game = opened.enter_context(match.begun(job))
                drive_rules(game.rules, hosted(job, game.note))
                result = game.seal(sync=False)
                games.append(game)
                if len(games) == OPEN or result.faults:
                    sync_and_close()
                yield result
        finally:
            sync_and_close()


def sync(games: Sequence[Game]) -> None:
    """Sync the logs of matches that are sealed: several at once, which takes the time of one."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(LogWriter.sync, (game.writer for game in games)))


WAYS: Mapping[str, Callable[[Sequence[MatchJob]], Iterator[Result]]] = {
    "singly": singly,
    "in step": in_step,
    "inside": inside,
}
