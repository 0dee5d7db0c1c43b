"""Class bots: rounds per second, one match at a time and many in step, in processes or inside."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import _smallest_unique as unique
from benchmarks.measure import Figure
from referee import match
from referee.bots import Bot
from referee.match import MatchJob
from referee.roster import resolve
from schema import folder

SIZE = 250
"""Matches of a tournament, 1,000 rounds each."""

LIGHT = """
    avoid_crowd constant_one cycler gap_finder geometric one_under repeat_winner saboteur
    second_smallest uniform
"""
"""The examples that think least: what the referee itself needs shows most."""


def run(size: int) -> Iterator[Figure]:
    """One match at a time, in step and inside, for all examples and for the lightest of them."""
    light = resolve([f"examples/{name}" for name in LIGHT.split()], unique.CARD)
    yield one_at_a_time(light, max(1, size // 32))
    yield from unique.compared("all examples", resolve(["examples"], unique.CARD), size)
    yield from unique.compared("light bots", light, size)


def one_at_a_time(bots: Sequence[Bot], matches: int) -> Figure:
    """How it is where a block cannot be played in step."""

    def singly() -> None:
        with tempfile.TemporaryDirectory() as place:
            for number in range(matches):
                match.play(job(bots, Path(place) / f"{number}.jsonl"))

    taken = unique.seconds(lambda: unique.one_core(singly))
    plain = unique.seconds(lambda: unique.one_core(lambda: unique.plain_loop(bots, matches)))
    rounds = matches * unique.ROUNDS
    return Figure(
        "light bots, one match at a time", rounds / taken, "1/s", unique.PLAIN, rounds / plain
    )


def job(bots: Sequence[Bot], log: Path) -> MatchJob:
    """A match of ``bots``."""
    return MatchJob(
        game=unique.CARD.name,
        tournament="benchmark",
        match=f"1-{log.stem:0>6}",
        bots=tuple(bots),
        settings=unique.CARD.settings({}).model_dump(),
        seed=unique.SEED,
        log=log,
        evidence=folder.evidence(log),
        isolation="process",
    )
