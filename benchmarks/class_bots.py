"""Class bots: rounds per second, proven or not, one match at a time, in step, and inside."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import _smallest_unique as unique
from benchmarks.measure import Figure
from referee import match
from referee.bot import Bot, BotFile
from referee.match import MatchJob
from referee.roster.resolve import resolve
from schema import discovery

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
    yield from unique.compared("bots of which nothing is proven", unproven(light), size // 8)


def unproven(bots: Sequence[Bot]) -> list[Bot]:
    """The same bots, which import what makes each of their matches have its own process."""
    found = []
    for bot in bots:
        files = {name: BotFile(file.content + b"\nimport sys\n", False) for name, file in bot.files}
        found.append(replace(bot, files=tuple(files.items())))
    return found


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
        evidence=discovery.evidence(log),
        isolation="process",
    )
