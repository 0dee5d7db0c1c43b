"""Play recorded matches again: with another bot at a seat, or with other answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from games.table import Reply
from referee import reasking, single_match
from referee.bot import Bot
from referee.contest import entries
from referee.protocols.base import Seating
from referee.roster.resolve import EXAMPLES, resolve
from replay.again import Again, again
from replay.blame import Blamed, Choice, check_reproducible, choices, play_lines
from replay.decisions import Decision, decisions_of
from replay.reask import Asker
from replay.whatif import comparable
from schema import discovery, reader
from schema.errors import NothingToDo, UsageError
from schema.executor import Mapper
from schema.log_path import LogPath
from schema.reader import Log
from schema.words import first_names
from schema.writer import LogWriter

MOST_LINES = 2_000
"""Maximum number of matches that one command plays."""


@dataclass(frozen=True)
class Cast:
    """The bots of a recorded match, and the conditions in which they play again."""

    log: LogPath
    bots: Sequence[Bot]
    """By seat."""
    isolation: str
    cold: bool = False

    def open_session(self, log: Log) -> AbstractContextManager[Asker]:
        """Seat new copies of the bots."""
        return reasking.session(log, self.bots, self.isolation, self.cold)


def seated_bots(
    log: Log, words: Sequence[str], any_files: bool, own: int | None = None
) -> list[Bot | None]:
    """Return the bot for each seat of ``log``, None for a seat without one.

    The bots of ``words`` come first, then those that were entered in the contest in whose folder
    the match is, then the game's examples. Raises BotsError, also for a word that names a bot of a
    seat's name with other files. The seat ``own`` may have any.
    """
    bots = reasking.available(log, resolve(words, log.card), any_files)
    reasking.refuse_changed(log, bots, words, own)
    return with_known(log, bots)


def with_known(log: Log, bots: Sequence[Bot | None]) -> list[Bot | None]:
    """Return the bots by seat, with those of the match's contest and examples where none is there.

    Raises BotsError if files of the contest were changed.
    """
    if None in bots:
        bots = [bot or entered for bot, entered in zip(bots, entries.available(log), strict=True)]
    if None in bots:
        examples = reasking.available(log, resolve([EXAMPLES], log.card))
        bots = [bot or example for bot, example in zip(bots, examples, strict=True)]
    return [*bots]


def all_bots(log: Log, words: Sequence[str], any_files: bool) -> list[Bot]:
    """Return the bots like :func:`seated_bots`. Raises BotsError for a seat without one."""
    bots = seated_bots(log, words, any_files)
    return reasking.check_all(log, bots, resolve(words, log.card), any_files)


def not_asked(log: Log, words: Sequence[str], seated: Sequence[Bot | None]) -> list[str]:
    """Return a sentence about the bots that ``words`` name one by one, but that have no seat."""
    playing = [bot.hash for bot in seated if bot is not None]
    groups = [resolve([word], log.card) for word in words]
    unused = [group[0].name for group in groups if len(group) == 1 and group[0].hash not in playing]
    return [f"given, but not asked: {first_names(unused)}."] if unused else []


def one_bot(word: str, log: Log, seat: int | None = None) -> Bot:
    """Return the only bot that ``word`` names; of several, that of the name of ``seat``.

    Without a ``seat`` it is that of any seat's name. Raises UsageError if several bots or none
    have such a name, and BotsError.
    """
    bots = resolve([word], log.card)
    if len(bots) == 1:
        return bots[0]
    fitting = reasking.named_like(log, bots, seat)
    if len(fitting) == 1:
        return fitting[0]
    found, seats = f"{word}: expected one bot, found {len(bots)}", reasking.seats_text(log)
    if fitting:
        raise UsageError(f"{found}. Choose its seat with --seat: {seats}.")
    whose = "a seat" if seat is None else f"seat {seat}"
    raise UsageError(
        f"{found}, none with the name of {whose}: {seats}. Name a file, a folder or a list with "
        "your bot alone."
    )


def play_again(
    log: Log,
    seat: int,
    bots: Sequence[Bot | None],
    isolation: str,
    cold: bool,
    output: Path | None,
) -> Again:
    """Play the match of ``log`` with the bots that are there; write it to ``output`` if complete.

    ``log`` comes from :func:`replay.reask.read_verified`. ``bots`` are by seat, with the changed
    bot at ``seat``. Raises UsageError if ``output`` exists or its folder does not, before
    anything is played.
    """
    bot = bots[seat]
    assert bot is not None
    if output is not None:
        single_match.check_new(output)
    present = {number for number, other in enumerate(bots) if other is not None}
    with reasking.partial_session(log, bots, isolation, cold) as ask:
        result = again(log, seat, {"name": bot.name, "bot": bot.hash}, ask, present)
    if output is not None and result.missing is None:
        with LogWriter(output) as writer:
            # Notes of an earlier log of this name would be about other answers.
            discovery.evidence(output).unlink(missing_ok=True)
            for event in result.events:
                writer.write(event)
            writer.seal("match", log.seal["seed"])
    return result


def to_blame(
    log: Log, seat: int, seqs: Callable[[int], bool] = lambda seq: True
) -> Sequence[Choice]:
    """Return the decisions of ``seat`` in ``log`` that had alternatives; ``seqs`` selects events.

    Raises UsageError for a game without alternatives, for a seat that does not exist, and for too
    many alternatives, and NothingToDo if there are none.
    """
    decisions = choices(log, seat)
    chosen = [choice for choice in decisions if seqs(choice.seq)]
    if not chosen:
        problem = f"{log.path}: no decision of seat {seat} there has an alternative."
        if decisions:
            first, last = decisions[0].seq, decisions[-1].seq
            problem += f" Events {first} to {last} hold those that have one."
        raise NothingToDo(problem)
    total = sum(len(choice.others) for choice in chosen)
    if total > MOST_LINES:
        raise UsageError(
            f"{log.path}: {len(chosen):,} decisions of seat {seat} have {total:,} alternatives, "
            f"and each is a match; expected at most {MOST_LINES:,}. Choose decisions with --at."
        )
    return chosen


def blame(
    log: Log, seat: int, decisions: Sequence[Choice], cast: Cast, mapper: Mapper
) -> Iterator[Blamed]:
    """Play each alternative of ``decisions`` to its end; yield the decisions in their order.

    Raises ReplayError for a bot that is not reproducible.
    """
    check_reproducible(log, partial(cast.open_session, log))
    yield from mapper(partial(_blame, cast, seat), decisions)


def _blame(cast: Cast, seat: int, choice: Choice) -> Blamed:
    """Play the lines of one decision, in any process."""
    log = reader.read(cast.log)
    return play_lines(log, seat, choice, partial(cast.open_session, log))


@dataclass(frozen=True)
class Debugged:
    """The answer of a bot to one question, beside the recorded one."""

    decision: Decision
    """The question and the recorded answer."""
    now: Reply | None
    earlier: int
    """Number of earlier questions that were put to it first."""
    otherwise: int
    """Number of them that it answered otherwise than recorded."""

    @property
    def same(self) -> bool:
        """Whether the answer is the recorded one; of a fault, whether its kind is."""
        return comparable(self.now) == comparable(self.decision.reply)


def debug(log: Log, seq: int, seat: int, bot: Bot) -> Debugged:
    """Put the question of event ``seq`` to ``bot`` on this terminal, as ``seat`` was asked.

    ``log`` comes from :func:`replay.reask.read_verified`. Earlier questions of the match come
    first, silently, if the bot or its scratch folder keeps a state.
    """
    from referee.protocols import foreground  # only Linux has its terminals

    own = [*decisions_of(log, seat)]
    own = own[: 1 + [decision.seq for decision in own].index(seq)]
    players = [bot] * len(log.start["players"])
    limit = log.start["settings"]["time_limit_s"]
    seating = Seating(players, log.seal["seed"], log.card.scratch, limit)
    *before, now = foreground.ask([decision.question for decision in own], seat, seating)
    pairs = zip(own, before, strict=False)  # none if the bot keeps no state
    otherwise = sum(comparable(decision.reply) != comparable(reply) for decision, reply in pairs)
    return Debugged(own[-1], now, len(before), otherwise)
