"""Blocks: matches that follow each other in a schedule, and are played side by side.

A block is played in step where the bots' protocol can do that and nothing happens that has to be
judged. Otherwise it is played again in halves, down to single matches, which are played as ever: so
the blame lands on the right match, and the logs are those of single play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from games.table import Result, converse
from referee import class_block, class_inside, match, scratch
from referee.class_copies import Apart
from referee.errors import RefereeError
from referee.match import Game, MatchJob
from schema import registry
from schema.writer import LogWriter

SIZES: Mapping[str, int] = {"class": 128}
"""How many matches make a block, by protocol; of others each match is one."""

MOST_BOTS = 128
"""A block ends before it has more bots than this: each is a process, and holds three pipes."""

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
        class_block.close()


def in_blocks(jobs: Iterable[MatchJob], until_fault: bool) -> Iterator[Block]:
    """A schedule in blocks, which depend on nothing else; they are drawn as they are needed."""
    gathered: list[MatchJob] = []
    bots: set[str] = set()
    for job in jobs:
        names = {bot.name for bot in job.bots}
        size = SIZES.get(registry.card(job.game).protocol, 1)
        if gathered and (len(gathered) == size or len(bots | names) > MOST_BOTS):
            yield Block(gathered, until_fault)
            gathered, bots = [], set()
        gathered.append(job)
        bots |= names
    if gathered:
        yield Block(gathered, until_fault)


def play(block: Block) -> list[Result]:
    """Play ``block``, write its logs and evidence, and return how its matches ended, in order.

    Matches that an earlier run has begun are played singly, those between them side by side. Raises
    what :func:`match.play` raises.
    """
    parts = groupby(block.jobs, match.has_begun)
    results = (part(Block([*jobs], block.until_fault), begun) for begun, jobs in parts)
    return until_fault(block, chain.from_iterable(results))


def part(block: Block, begun: bool) -> list[Result]:
    """Play matches that were all ``begun`` by an earlier run, or of which there is nothing yet."""
    first = block.jobs[0]
    if begun or first.durable or registry.card(first.game).protocol not in SIZES:
        return singly(block)
    return inside(block) if first.isolation == "none" else halving(block)


def singly(block: Block) -> list[Result]:
    """The matches, one after the other."""
    return until_fault(block, map(match.play, block.jobs))


def halving(block: Block) -> list[Result]:
    """The matches in step, or each half of them by itself, or a single match as ever."""
    if len(block.jobs) == 1:
        return singly(block)
    with suppress(Apart):
        return in_step(block.jobs)
    half = len(block.jobs) // 2
    parts = (Block(jobs, block.until_fault) for jobs in (block.jobs[:half], block.jobs[half:]))
    return until_fault(block, (result for part in parts for result in halving(part)))


def until_fault(block: Block, results: Iterable[Result]) -> list[Result]:
    """All of ``results``, or those up to the first with a fault: what follows is not played."""
    kept: list[Result] = []
    for result in results:
        kept.append(result)
        if block.until_fault and result.faults:
            break
    return kept


def in_step(jobs: Sequence[MatchJob]) -> list[Result]:
    """All matches side by side. Raises Apart, and leaves nothing, when they cannot be played so."""
    games: list[Game] = []
    try:
        with ExitStack() as stack:
            place = stack.enter_context(scratch.folder())
            for job in jobs:
                games.append(stack.enter_context(match.begun(job)))
            with class_block.open_session(jobs, place) as session:
                converse_in_step(games, session)
            results = [game.seal(sync=False) for game in games]
            sync(games)
            return results
    except (Apart, RefereeError) as error:  # too many files, perhaps: single play needs fewer
        for game in games:
            match.drop(game.job)
        raise Apart from error


def converse_in_step(games: Sequence[Game], session: class_block.Session) -> None:
    """Drive the rules of all games to their end."""
    asked: list[Any] = [next(game.rules) for game in games]
    while asked:
        seqs = [game.writer.events for game in games]
        replies = session(asked)
        asked = []
        for game, reply in zip(games, replies, strict=True):
            try:
                asked.append(game.rules.send(reply))
            except StopIteration:
                continue
        if 0 < len(asked) < len(games):
            raise Apart
    for game, seq, notes in zip(games, seqs, session.evidence(), strict=True):
        for note in notes:
            game.keep({"seq": seq} | note)


def inside(block: Block) -> list[Result]:
    """One match after the other, with bots in this very process; as ever where that goes wrong."""
    games: list[Game] = []

    def play(job: MatchJob) -> Result:
        if len(games) == OPEN:
            sync_and_close()
        with ExitStack() as stack:
            game = stack.enter_context(match.begun(job))
            with suppress(Apart):
                with hosted(job) as session:
                    converse(game.rules, session)
                result = game.seal(sync=False)
                games.append(game)
                sealed.push(stack.pop_all())
                return result
        match.drop(job)
        return match.play(job)

    def sync_and_close() -> None:
        sync(games)
        games.clear()
        sealed.close()

    with ExitStack() as sealed, class_inside.guests(block.jobs) as hosted:
        results = until_fault(block, map(play, block.jobs))
        sync_and_close()
        return results


def sync(games: Sequence[Game]) -> None:
    """Sync the logs of matches that are sealed: several at once, which takes the time of one."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(LogWriter.sync, (game.writer for game in games)))
