"""The share of planted blunders that ``koth blame`` ranks among the first three decisions.

Two example bots of Coup play a match, and the first seat wins. One of its answers is replaced by a
legal one with which it loses: the bot of the new match is a copy that gives this answer to this
question, and plays as before otherwise. Both kinds of blunder are drawn from a fixed seed:

- *at once*: the match ends before the seat has another choice to make;
- *later*: the match goes on, and is lost in the end.

A blunder of the second kind competes with every answer by which the seat could have won after all.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from pathlib import Path

from benchmarks.measure import Figure, at_least, at_most
from games.table import FileCall
from koth.library.rematches import Cast, blame, to_blame
from koth.workers import workers
from referee import reasking, single_match
from referee.bot import Bot, BotFile
from referee.roster.resolve import resolve
from replay.blame import check_reproducible, choices, rank
from replay.decisions import decisions_of
from replay.whatif import what_if
from schema import registry, seal
from schema.executor import Mapper
from schema.reader import Log, read

SIZE = 100
QUICK = 1
"""Matches of each kind."""

PLAYERS = (
    *("lawyer", "bold_lawyer", "taxman", "bandit", "gambler"),
    *("statistician", "turncoat", "challenger", "mask", "random_player"),
)
CARD = registry.card("coup")
TOP = 3
LONG = "long 20"
"""The text whose hash is the seed of a match of 55 decisions, 25 of them with alternatives."""

PLANTED = """\
import sys
if [open(sys.argv[1], newline="").read(), *sys.argv[2:]] == {question!r}:
    open(sys.argv[1], "a", newline="").write({appended!r})
    print(end={output!r})
    sys.exit()
"""


@dataclass(frozen=True)
class Blunder:
    """A match that its first seat would have won without its answer in event ``seq``."""

    log: Path
    bots: Sequence[Bot]
    seq: int


def run(size: int) -> Iterator[Figure]:
    """Measure both kinds of blunders, and the time for a match with many decisions."""
    with tempfile.TemporaryDirectory() as folder, workers(2) as mapper:
        for at_once, kind in (True, "at once"), (False, "later"):
            planted = islice(blunders(mapper, at_once, Path(folder)), size)
            ranks = [placed(blunder, mapper) for blunder in planted]
            yield Figure(
                f"blunders that lose {kind}, among the first {TOP}",
                100 * sum(place <= TOP for place, _ in ranks) / size,
                "%",
                "decisions in any order",
                100 * sum(min(1, TOP / number) for _, number in ranks) / size,
                (at_least(90),) if at_once else (),
            )
        yield longest(mapper, Path(folder))


def longest(mapper: Mapper, folder: Path) -> Figure:
    """Measure the time for a match of 55 decisions, on two cores."""
    bots = resolve(["examples/lawyer", "examples/statistician"], CARD)
    log = play(bots, seal.commitment(LONG), folder / "long.jsonl")
    cast = Cast(log.path, bots, "process")
    begun = time.perf_counter()
    check_reproducible(log, partial(cast.open_session, log))
    once = time.perf_counter()
    list(blame(log, 0, to_blame(log, 0), cast, mapper))
    taken = time.perf_counter() - once
    return Figure(
        "a match of 55 decisions", taken, "s", "the match twice", once - begun, (at_most(60),)
    )


def placed(blunder: Blunder, mapper: Mapper) -> tuple[int, int]:
    """Return the rank of a blunder, and the number of decisions."""
    cast = Cast(blunder.log, blunder.bots, "process")
    log = read(blunder.log)
    ranked = rank(log, 0, blame(log, 0, to_blame(log, 0), cast, mapper)).ranked
    return 1 + [decision.seq for decision in ranked].index(blunder.seq), len(ranked)


def blunders(mapper: Mapper, at_once: bool, folder: Path) -> Iterator[Blunder]:
    """Yield planted blunders of one kind; their logs are in ``folder``."""
    for blunder in mapper(partial(planted, at_once, folder), count()):
        if blunder is not None:
            yield blunder


def planted(at_once: bool, folder: Path, number: int) -> Blunder | None:
    """Plant a blunder in match ``number``; None if its first seat loses or has no such answer."""
    rng = random.Random(number)
    bots = resolve([f"examples/{name}" for name in rng.sample(PLAYERS, 2)], CARD)
    seed = seal.commitment(f"blame {number}")
    log = play(bots, seed, folder / f"{at_once}-{number}.jsonl")
    if log.events[-2]["winners"] != [0]:
        return None
    candidates = [(choice.seq, other) for choice in choices(log, 0) for other in choice.others]
    rng.shuffle(candidates)
    for seq, other in candidates:
        with reasking.session(log, bots, "process") as asker:
            result = what_if(log, seq, other, 0, asker)
        assert result.end is not None
        if result.end["winners"] == [1] and result.end["reason"] != "forfeit":
            blundering = [with_answer(bots[0], log, seq, result.answer), bots[1]]
            path = folder / f"{at_once}-{number}-planted.jsonl"
            after = [choice.seq for choice in choices(play(blundering, seed, path), 0)]
            if at_once == (max(after) == seq):
                return Blunder(path, blundering, seq)
            path.unlink()
    return None


def play(bots: Sequence[Bot], seed: str, path: Path) -> Log:
    """Play a match into a new log."""
    single_match.play(single_match.plan(CARD, bots, CARD.settings({}), seed, path, "process"))
    return read(path)


def with_answer(bot: Bot, log: Log, seq: int, answer: Mapping[str, bytes]) -> Bot:
    """Return a copy of ``bot`` that answers so to the question of event ``seq``."""
    [call] = [
        decision.question.observation for decision in decisions_of(log, 0) if decision.seq == seq
    ]
    assert isinstance(call, FileCall)
    code = PLANTED.format(
        question=[call.history, *call.args],
        appended=answer["appended"].decode(),
        output=answer["output"].decode(),
    )
    [(name, file)] = bot.files
    source = BotFile(code.encode() + file.content, file.executable)
    return replace(bot, files=((name, source),))
