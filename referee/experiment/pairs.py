"""Pairs of matches that compare a bot with others, both matches with the same dice.

In games for two, a pair is mirrored: the bot meets another one twice, with exchanged seats. In
games for more, the bots compete for a seat: the bot has it in the first match, the other one in
the second, and the rest of the field is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from pydantic import BaseModel

from games.table import Result
from referee.bot import Bot, number_names
from referee.errors import BotsError
from referee.match import MatchJob
from referee.roster.resolve import EXAMPLES, resolve
from schema import discovery, seal
from schema.card import Card
from schema.dice import Dice
from schema.errors import UsageError
from schema.words import counted, first_names

VOID = "void"
"""The reason of a match that does not count, because bots failed."""

Rank = tuple[bool, bool, int]
"""Whether a seat did not make its match void, whether it won, and its score."""


@dataclass(frozen=True)
class Experiment:
    """A comparison of a bot with one or several others, to be played into a folder."""

    card: Card
    bot: Bot
    against: Sequence[Bot]
    field: Sequence[Bot] | None
    """The bots at the other seats; None if these are the others of ``against``."""
    seats: int
    """Number of players of a match."""
    settings: BaseModel
    seed: str
    folder: Path
    isolation: str
    cold: bool = False

    @property
    def mirrored(self) -> bool:
        """Whether the game is for two, so that the bots meet."""
        return self.card.bounds("seats", self.settings)[1] == 2

    @property
    def bots(self) -> list[Bot]:
        """All bots, that of the author first."""
        return [self.bot, *self.against, *(self.field or ())]


@dataclass(frozen=True)
class Pair:
    """Two matches with the same dice, and the seats of the bot and its rival in each."""

    rival: int
    """The position of the other bot in ``against``."""
    jobs: tuple[MatchJob, MatchJob]
    seats: tuple[int, int]
    """The bot's seat in a mirrored pair, by match; otherwise the seat for which both compete."""
    mirrored: bool

    def score(self, results: Sequence[Result]) -> int:
        """Return the quarters of the pair that the bot won, 0 to 4.

        Raises BotsError if the failure of a third bot makes a match void.
        """
        first, second = self._ranks(results, 0), self._ranks(results, 1)
        if self.mirrored:
            return sum(_halves(own, other) for own, other in (first, second))
        return 2 * _halves(first[0], second[0])

    def lost(self, results: Sequence[Result]) -> Iterator[int]:
        """Yield the matches of the bot, 0 or 1, that it lost."""
        if self.mirrored:
            ranks = (self._ranks(results, match) for match in (0, 1))
            yield from (match for match, (own, other) in enumerate(ranks) if own < other)
        elif self.score(results) == 0:
            yield 0

    def _ranks(self, results: Sequence[Result], match: int) -> list[Rank]:
        """Return the rank of the bot's seat in a match, then that of its rival if it has one."""
        result, job, seat = results[match], self.jobs[match], self.seats[match]
        failed = dict(result.faults)
        # A draw has no winners either, and a fault need not end a match.
        void = bool(failed) and result.reason == VOID
        seats = [seat, 1 - seat] if self.mirrored else [seat]
        if void and failed.keys().isdisjoint(seats):
            third, kind = next(iter(failed.items()))
            raise BotsError(
                f"{job.bots[third].name} failed ({kind}), so that the match {job.match} is void. "
                "Take it out of the field."
            )
        return [
            (False, False, 0)
            if void and seat in failed
            else (True, seat in result.winners, result.scores[seat])
            for seat in seats
        ]


def plan(
    card: Card,
    bot: Sequence[Bot],
    against: Sequence[Bot],
    field: Sequence[Bot] | None,
    settings: BaseModel,
    seed: str,
    folder: Path,
    isolation: str,
    cold: bool = False,
) -> Experiment:
    """Return a comparison to be played.

    Without a ``field``, the other seats of a game for more than two are for the other bots of
    ``against``, or for the game's examples if these bots are one only or do not fill a match.

    Raises UsageError if ``bot`` is not one bot, or if the bots do not fill a match, and CardError
    for a broken game.
    """
    card.current.check()
    if len(bot) != 1:
        names = first_names([one.name for one in bot])
        raise UsageError(
            f"expected one bot to compare, found {len(bot)}: {names}. Name a file, a folder or a "
            "list with this bot alone."
        )
    least, most = card.bounds("seats", settings)
    if most == 2:
        if field:
            raise UsageError(f"--field: a match of {card.title} has no seats for a field.")
        field = []
    elif field is None and len(against) < max(2, least):
        known = {other.hash for other in against}
        field = [other for other in resolve([EXAMPLES], card) if other.hash not in known]
    others = len(against) - 1 if field is None else len(field)
    seats = 2 if most == 2 else min(most, 1 + others)
    try:
        card.check_number("seats", seats, settings)
    except ValueError as error:
        remedy = f"Name {counted(least - seats, 'more bot')} for the other seats with --field"
        such = "a bot may be named again" if field else "such as `--field examples`"
        raise UsageError(f"a match of {card.title}: {error}. {remedy}, {such}.") from None
    own, *named = number_names([*bot, *against, *(field or ())])
    rivals, rest = named[: len(against)], named[len(against) :]
    seated = None if field is None else rest
    return Experiment(card, own, rivals, seated, seats, settings, seed, folder, isolation, cold)


def pairs(experiment: Experiment) -> Iterator[Pair]:
    """Yield pairs without end, in rounds: each round has one pair against each rival."""
    dice = Dice(experiment.seed)
    rivals = len(experiment.against)
    for number in count():
        rival = number % rivals
        first, second = (f"1-{2 * number + match:06}" for match in (0, 1))
        bot, other = experiment.bot, experiment.against[rival]
        if experiment.mirrored:
            jobs = (
                _job(experiment, first, first, (bot, other)),
                _job(experiment, second, first, (other, bot)),
            )
            yield Pair(rival, jobs, (0, 1), mirrored=True)
            continue
        field = experiment.field
        if field is None:
            field = [member for member in experiment.against if member is not other]
        by_name = {member.name: member for member in field}
        drawn = dice.sample(f"pair/{number}/field", list(by_name), experiment.seats - 1)
        rest = [by_name[name] for name in drawn]
        seat = dice.below(f"pair/{number}/seat", experiment.seats)
        before, after = rest[:seat], rest[seat:]
        jobs = (
            _job(experiment, first, first, (*before, bot, *after)),
            _job(experiment, second, first, (*before, other, *after)),
        )
        yield Pair(rival, jobs, (seat, seat), mirrored=False)


def _job(experiment: Experiment, match: str, dice: str, bots: tuple[Bot, ...]) -> MatchJob:
    """Return a match with the dice of the match ``dice``."""
    log = experiment.folder / discovery.MATCHES / f"{match}.jsonl"
    return MatchJob(
        game=experiment.card.name,
        rules=experiment.card.rules,
        tournament=seal.tournament_id(seal.commitment(experiment.seed)),
        match=match,
        bots=bots,
        settings=experiment.settings.model_dump(),
        seed=seal.match_seed(experiment.seed, dice),
        log=log,
        evidence=discovery.evidence(log),
        isolation=experiment.isolation,
        cold=experiment.cold,
    )


def _halves(own: Rank, other: Rank) -> int:
    """Return the halves of a point for a rank beside another: 2, 1 or 0."""
    return 1 + (own > other) - (own < other)
