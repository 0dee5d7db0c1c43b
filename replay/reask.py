"""Asks the bots of a match again, and compares their answers with the recorded ones.

A log proves that its events follow from its seed and its answers. It does not prove that a bot gave
an answer. So this module puts every question of the match to the bots again, from the first, with
the same seeds. Whatever they answer, the match continues with the recorded answers.

Each question is asked twice. A bot that gives two different answers is not reproducible, so it
proves nothing about the log. If both answers differ from the recorded one, the whole match is asked
again, up to ``MAX_TIMES`` times in all, before the bot counts as reproducible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace

from games.table import Fault, Part, Replies, Reply
from replay.driver import Question, ReplayDriver, replies_by_part
from replay.errors import ReplayError
from replay.verify import verify
from schema.bot_output import ANSWER_CHANNELS, to_fields
from schema.errors import LogError, UsageError
from schema.files import first_line
from schema.log_path import LogPath
from schema.reader import Log, read, read_start

Asker = Callable[[Question], Replies]
"""Puts the questions of one match to live bots, in order, and returns their replies."""

OpenSession = Callable[[], AbstractContextManager[Asker]]
"""Seats new copies of the bots, as at the beginning of the match."""

AskerByPart = Callable[[Question], Mapping[Part, Reply]]
"""Puts the questions of one match to the bots that are there; returns their replies by part."""

OpenPartialSession = Callable[[], AbstractContextManager[AskerByPart]]
"""Seats new copies of the bots that are there."""

MAX_TIMES = 20
"""Number of equal answers after which a bot counts as reproducible.

An answer with a probability of 14 % or more appears at least once in 20 independent runs with a
probability of 95 % (1 - 0.86**20)."""

ReplyFields = Mapping[str, object]
"""A reply for comparison: the fields of an ``answered`` event, or the kind of a fault."""


@dataclass(frozen=True)
class ChangedAnswer:
    """A question to which a bot now gives another answer."""

    seq: int
    """The event that holds the recorded answer."""
    seat: int
    ask: str
    recorded: ReplyFields
    again: ReplyFields
    once_more: ReplyFields
    """The answer when the bot was asked a second time."""


@dataclass
class ReaskResult:
    """The answers of a match's bots when asked again, compared with the recorded ones."""

    players: list[str]
    """Names by seat."""
    seats: Collection[int]
    """Seats whose bots were asked."""
    answers: int = 0
    """Number of recorded answers that were compared."""
    times: int = 2
    """Number of times that each question was asked."""
    differences: list[ChangedAnswer] = field(default_factory=list)
    """Changed answers of reproducible bots."""
    not_reproducible: dict[int, ChangedAnswer] = field(default_factory=dict)
    """By seat: the first question to which the bot gave two different answers."""

    def drop_not_reproducible(self) -> None:
        """Remove the differences of bots that are not reproducible."""
        self.differences = [
            change for change in self.differences if change.seat not in self.not_reproducible
        ]


def read_verified(path: LogPath) -> Log:
    """Return the log of a match, read and verified: only then are its questions known.

    Raises UsageError for the log of a tournament or a contest, ReplayError for any other verdict
    than ``verified``, and OSError.
    """
    with suppress(LogError):  # the verdict says why it cannot be read
        kind = read_start(first_line(path), path).kind
        if kind != "match":
            raise UsageError(f"{path}: expected the log of a match, found that of a {kind}.")
    verdict = verify(path)
    if verdict.verdict != "verified":
        raise ReplayError(
            f"{path}: expected a log that verifies, found one that is {verdict.verdict}: "
            f"{verdict.reason.removesuffix('.')}."
        )
    return read(path)


def reask(
    log: Log, open_session: OpenPartialSession, seats: Collection[int], times: int = MAX_TIMES
) -> ReaskResult:
    """Put every question of the match to the bots of ``seats``, in independent sessions.

    ``log`` comes from :func:`read_verified`. Each question is asked twice; if an answer of a
    reproducible bot differs, up to ``times`` times.
    """
    result = _ask_twice(log, open_session, seats)
    while result.differences and result.times < times:
        _merge(result, _ask_twice(log, open_session, seats))
    return result


def _ask_twice(log: Log, open_session: OpenPartialSession, seats: Collection[int]) -> ReaskResult:
    with open_session() as first, open_session() as second:
        run = _Reasking(log, seats, first, second)
        run.drive_rules()
    run.result.drop_not_reproducible()
    return run.result


def _merge(result: ReaskResult, repeated: ReaskResult) -> None:
    """Add a repeated run to ``result``: a bot whose answers differ is not reproducible."""
    result.times += repeated.times
    for seat, change in repeated.not_reproducible.items():
        result.not_reproducible.setdefault(seat, change)
    answers = {(change.seq, change.seat, change.ask): change for change in repeated.differences}
    for change in result.differences:
        other = answers.pop((change.seq, change.seat, change.ask), None)
        answer = change.recorded if other is None else other.again
        if answer != change.again:
            result.not_reproducible.setdefault(change.seat, replace(change, once_more=answer))
    for other in answers.values():  # the bot gave the recorded answer before
        result.not_reproducible.setdefault(other.seat, replace(other, once_more=other.recorded))
    result.drop_not_reproducible()


class _Reasking(ReplayDriver):
    """The recorded match, in which every question is also put to two sessions of live bots."""

    def __init__(
        self, log: Log, seats: Collection[int], first: AskerByPart, second: AskerByPart
    ) -> None:
        super().__init__(log, log.seal["seed"])
        self.result = ReaskResult([player["name"] for player in log.start["players"]], seats)
        self._askers = (first, second)
        self._ended: set[int] = set()
        """Seats of stream bots with a recorded fault, which ended their answers."""
        self._no_output = dict.fromkeys(ANSWER_CHANNELS.get(log.card.protocol, ()), b"")

    def answer(self, question: Question) -> Replies:
        replies = super().answer(question)
        recorded = self._comparable(replies_by_part(question, replies))
        again, once_more = (self._comparable(ask(question)) for ask in self._askers)
        seqs = self.answer_seqs(question, replies)
        for seq, (part, fields) in zip(seqs, recorded.items(), strict=True):
            if part.seat not in self.result.seats or part.seat in self._ended:
                continue  # its bot is not there, or the referee did not ask it
            answers = (fields, again.get(part, {}), once_more.get(part, {}))
            self._compare(ChangedAnswer(seq, part.seat, part.name, *answers))
            if self.log.card.protocol == "stream" and "fault" in fields:
                self._ended.add(part.seat)
        return replies

    def _compare(self, change: ChangedAnswer) -> None:
        self.result.answers += 1
        if change.again != change.once_more:
            self.result.not_reproducible.setdefault(change.seat, change)
        elif change.again != change.recorded:
            self.result.differences.append(change)

    def _comparable(self, replies: Mapping[Part, Reply]) -> dict[Part, ReplyFields]:
        """Return the replies in a form that can be compared."""
        return {
            part: {"fault": reply.kind}
            if isinstance(reply, Fault)
            else to_fields({**self._no_output, **reply.raw})
            for part, reply in replies.items()
        }
