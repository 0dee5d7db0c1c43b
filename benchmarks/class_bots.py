"""Rounds per second of class bots, with and without proof, singly, in a batch, and in process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import _smallest_unique as unique
from benchmarks.measure import Figure, times
from referee import match
from referee.bot import Bot, BotFile
from referee.match import MatchJob
from referee.roster.resolve import resolve
from schema import discovery

SIZE = 250
"""Matches of a tournament, 1,000 rounds each."""

QUICK = 1

UNPROVEN = {unique.SANDBOX_JOBS: (times(0.35),)}
"""The goal for bots whose matches share no process."""

LIGHT = """
    avoid_crowd constant_one cycler gap_finder geometric one_under repeat_winner saboteur
    second_smallest uniform
"""
"""The example bots that compute least, so that the referee's own time dominates."""


def run(size: int) -> Iterator[Figure]:
    """Measure each way of playing, for all example bots and for the lightest."""
    light = resolve([f"examples/{name}" for name in LIGHT.split()], unique.CARD)
    yield one_at_a_time(light, max(1, size // 32))
    yield from unique.compared("all examples", resolve(["examples"], unique.CARD), size)
    yield from unique.compared("light bots", light, size)
    without = max(1, size // 8)
    yield from unique.compared("bots without a proof", unproven(light), without, UNPROVEN)


def unproven(bots: Sequence[Bot]) -> list[Bot]:
    """Return the bots with an import that the proof rejects, so that matches share no process."""
    changed = []
    for bot in bots:
        files = {name: BotFile(file.content + b"\nimport sys\n", False) for name, file in bot.files}
        changed.append(replace(bot, files=tuple(files.items())))
    return changed


def one_at_a_time(bots: Sequence[Bot], matches: int) -> Figure:
    """Measure matches that cannot be played in a batch."""

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
    """Return the job of one match of ``bots``."""
    return MatchJob(
        game=unique.CARD.name,
        rules=unique.CARD.rules,
        tournament="benchmark",
        match=f"1-{log.stem:0>6}",
        bots=tuple(bots),
        settings=unique.CARD.settings({}).model_dump(),
        seed=unique.SEED,
        log=log,
        evidence=discovery.evidence(log),
        isolation="process",
    )
