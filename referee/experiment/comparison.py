"""Play the pairs of an experiment until its test decides, and keep the score."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice

from games.table import Result
from referee import match
from referee.batch import scheduler
from referee.batch.scheduler import Batch
from referee.experiment.pairs import Experiment, Pair, pairs
from referee.experiment.sequential import SCORES, Decision, SequentialTest
from referee.match import MatchJob
from schema import discovery
from schema.errors import UsageError
from schema.executor import Mapper
from schema.files import making, refuse_used

TOGETHER = 8
"""Pairs that are played together if the protocol plays matches in batches."""


@dataclass(frozen=True)
class Loss:
    """A match that the bot lost."""

    job: MatchJob
    seat: int
    """The bot's own seat."""
    rival: str
    """The name of the bot that was better: in this match, or at this seat in another one."""
    other: MatchJob
    """The other match of the pair."""
    result: Result


@dataclass
class Comparison:
    """An experiment while it is played; it changes by :meth:`play` only."""

    experiment: Experiment
    test: SequentialTest
    counts_by_rival: list[list[int]] = field(init=False)
    """Number of pairs by score, for each rival."""
    losses: list[Loss] = field(default_factory=list)
    faults: dict[str, Counter[str]] = field(default_factory=dict)
    """Number of faults by the bot's name and by kind."""
    begun: list[Pair] = field(default_factory=list)
    """All pairs whose matches may have a log."""

    def __post_init__(self) -> None:
        self.counts_by_rival = [[0] * len(SCORES) for _ in self.experiment.against]

    @property
    def counts(self) -> list[int]:
        """Number of pairs by score, against all rivals together."""
        return [sum(counts) for counts in zip(*self.counts_by_rival, strict=True)]

    @property
    def pairs(self) -> int:
        """Number of pairs that count."""
        return sum(self.counts)

    @property
    def decision(self) -> Decision:
        """The decision after the last full round, in which the bot met all rivals equally often."""
        if self.pairs % len(self.counts_by_rival):
            return Decision.UNDECIDED
        return self.test.decision(self.counts)

    def play(self, mapper: Mapper, games: int | None, update: Callable[[], object]) -> None:
        """Play full rounds of pairs until the test decides, with at most so many ``games``.

        ``update`` is called after each pair. The result does not depend on where ``mapper`` plays.
        Raises as :func:`most_pairs`, and BotsError if a bot of the field makes a match void.
        """
        most = most_pairs(self.experiment, games)
        if most is not None:
            most = min(most, sys.maxsize)  # islice takes no larger number
        planned = islice(pairs(self.experiment), most)
        with closing(mapper(scheduler.play, self._batches(planned))) as played:
            for results in played:
                for both in zip(results[::2], results[1::2], strict=True):
                    self._add(self.begun[self.pairs], both)
                    update()
                    if self.decision is not Decision.UNDECIDED:
                        return

    def drop_unfinished(self) -> None:
        """Remove the logs of matches that do not count. No worker may play any more."""
        for pair in self.begun[self.pairs :]:
            for job in pair.jobs:
                match.drop(job)

    def _batches(self, planned: Iterable[Pair]) -> Iterator[Batch]:
        together = TOGETHER if self.experiment.card.protocol in scheduler.SIZES else 1
        remaining = iter(planned)
        while batch := [*islice(remaining, together)]:
            self.begun += batch
            yield Batch([job for pair in batch for job in pair.jobs])

    def _add(self, pair: Pair, results: tuple[Result, Result]) -> None:
        score = pair.score(results)
        for number in pair.lost(results):
            job, other = pair.jobs[number], pair.jobs[1 - number]
            rival = self.experiment.against[pair.rival].name
            self.losses.append(Loss(job, pair.seats[number], rival, other, results[number]))
        for job, result in zip(pair.jobs, results, strict=True):
            for seat, kind in result.faults:
                self.faults.setdefault(job.bots[seat].name, Counter())[kind] += 1
        self.counts_by_rival[pair.rival][score] += 1


def most_pairs(experiment: Experiment, games: int | None) -> int | None:
    """Return the maximum number of pairs in so many ``games``: full rounds; None without a limit.

    Raises UsageError if ``games`` are too few for one round.
    """
    if games is None:
        return None
    rivals = len(experiment.against)
    if games < 2 * rivals:
        raise UsageError(
            f"--games {games}: expected at least {2 * rivals}, a pair against each bot."
        )
    return games // (2 * rivals) * rivals


def make_folders(experiment: Experiment) -> None:
    """Make the folders for logs and evidence.

    Raises UsageError if the experiment's folder is in use or cannot be made.
    """
    folder = experiment.folder
    with making(folder):
        refuse_used(folder)
        (folder / discovery.MATCHES).mkdir(parents=True)
        (folder / discovery.EVIDENCE).mkdir()
