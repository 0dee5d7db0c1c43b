"""Contests to measure with: the referee's own logs, with matches that no bot plays."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks._histories import answer_at_random
from games.driving import drive_rules
from games.table import Answer, Ask, JointAsk, Result
from referee import tournament
from referee.contest import entries, stages
from referee.contest.folder import make, opened
from referee.match import MatchJob, OpenMatch, open_match
from referee.roster.resolve import resolve
from schema import registry
from schema.executor import Mapper

SEED = "5" * 64

Play = Callable[[OpenMatch], None]
"""Records the events of one match."""


def new(folder: Path, rounds: int, stages: int = 1_000, **settings: int) -> Path:
    """Make a contest of Coup, and return its folder."""
    card = registry.card("coup")
    make(folder, card, card.settings({"rounds": rounds, **settings}), SEED, stages, "cup")
    return folder


def bots(folder: Path, names: Iterable[str], version: int = 1) -> list[str]:
    """Write bots, which are never run, and return their paths."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{name}.py" for name in names]
    for path in paths:
        path.write_text(f"# {path.stem}, version {version}\n")
    return [*map(str, paths)]


def enter(folder: Path, words: Iterable[str]) -> None:
    """Enter bots without asking them a first question."""
    with opened(folder) as held:
        entries.enter(held, entries.planned(held, resolve(words, held.card)))


def withdraw(folder: Path, name: str) -> None:
    """Withdraw a bot."""
    with opened(folder) as held:
        entries.withdraw(held, [name])


def run(folder: Path, play: Play) -> int:
    """Play the next stage; return the number of its matches, 0 if nothing is missing."""
    with opened(folder) as held:
        stage = stages.next_stage(held, None)
        if stage is None:
            return 0
        planned = stages.tournament(held, stage, stages.bots(held, stage), "process")
        stages.begin(held, stage)
        ending = tournament.play(planned, mapper(play), lambda done, total: None)
        stages.finish(held, stage)
        return sum(standing["games"] for standing in ending.standings) // 2


def mapper(play: Play) -> Mapper:
    """Return a mapper that records each match by ``play`` instead of asking bots."""

    def each(function: object, batches: Iterable[Any], /) -> Iterator[list[Result]]:
        for batch in batches:
            yield [_recorded(job, play) for job in batch.jobs]

    return each  # type: ignore[return-value]  # it is called with batches only


def _recorded(job: MatchJob, play: Play) -> Result:
    with open_match(job) as match:
        play(match)
        return match.seal(sync=False)


def at_random(match: OpenMatch) -> None:
    """Play with random legal answers, so that the log verifies."""
    rng = random.Random(match.job.seed)

    def answers(questions: list[Ask] | JointAsk) -> list[Answer]:
        assert isinstance(questions, list)  # Coup asks one seat at a time
        return [answer_at_random(question, rng) for question in questions]

    drive_rules(match.rules, answers)


def by_strength(strengths: Mapping[str, float], seed: object = 0) -> Play:
    """Return a way to decide matches by the strengths of the bots (Bradley and Terry).

    The n-th match of two versions in the same seats always ends in the same way. These logs have
    no moves and do not verify.
    """
    played: dict[str, int] = {}

    def play(match: OpenMatch) -> None:
        lineup = " ".join(bot.hash for bot in match.job.bots)
        played[lineup] = played.get(lineup, 0) + 1
        first, second = (strengths[bot.name] for bot in match.job.bots)
        draw = random.Random(f"{seed} {lineup} {played[lineup]}").random()
        winner = 0 if draw * (first + second) < first else 1
        scores = [1, 0] if winner == 0 else [0, 1]
        event = {"reason": "eliminated", "scores": scores, "winners": [winner]}
        match.record({"type": "match_finished", **event}, "CP-2")

    return play
