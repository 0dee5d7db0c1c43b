"""Asks bots again: would they answer as the log says?

A log proves that its events follow from its seed and its answers, not that a bot gave an answer. So
every question of the match is put to the bots once more, as the replay recomputes it, from the
match's start and with the seeds that they had then. Whatever they answer, the match goes on as it
is recorded. Each is asked twice: a bot that differs from itself shows nothing about the log. Where
both answers differ from the recorded one, the match is asked again up to TIMES times, before the
bot is called reproducible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from games.recorded import ANSWERS
from games.table import Ask, Fault, JointAsk, Part, Replies, Reply, replies_by_seat
from replay.driver import ReplayDriver
from replay.errors import ReplayError
from replay.verify import verify
from schema.bot_output import ANSWER_CHANNELS, to_fields
from schema.canonical import Event
from schema.log_path import LogPath
from schema.reader import Log, read

Asked = Sequence[Ask] | JointAsk

Asker = Callable[[Asked], Replies]
"""Puts questions to live bots, from a match's first to its last."""

TIMES = 20
"""Askings in which a bot has to answer the same before its recorded answer is doubted.

An answer that it gives with a chance of 14 % or more comes up at least once in 20 independent
askings with a chance of 95 % (1 - 0.86**20)."""

Sessions = Callable[[], AbstractContextManager[Asker]]
"""Seats the bots anew, as at the beginning of the match."""

Said = Mapping[str, object]
"""What a bot said: the fields of an ``answered`` event, or the kind of a fault."""


@dataclass(frozen=True)
class ChangedAnswer:
    """One question whose answer came out otherwise."""

    seq: int
    """The event that holds the recorded answer."""
    seat: int
    ask: str
    recorded: Said
    again: Said
    once_more: Said
    """What the bot said when it was asked a second time."""


@dataclass
class Reasked:
    """What came of asking the bots of a match again."""

    players: Sequence[str]
    """Names, by seat."""
    answers: int = 0
    """How many answers were compared."""
    times: int = 2
    """How often each question was asked."""
    differences: list[ChangedAnswer] = field(default_factory=list)
    """Answers other than the recorded ones, by bots that are reproducible."""
    unsteady: dict[int, ChangedAnswer] = field(default_factory=dict)
    """By seat: the first question to which a bot gave two answers, so that it proves nothing."""


def checked(path: LogPath) -> Log:
    """The log of a match that verifies: else its questions would not be those of the match.

    Raises ReplayError.
    """
    verdict = verify(path)
    if verdict.verdict != "verified":
        raise ReplayError(
            f"{path}: expected a log that verifies, found one that is {verdict.verdict}: "
            f"{verdict.reason}."
        )
    log = read(path)
    if log.kind != "match":
        raise ReplayError(f"{path}: expected the log of a match, found that of a tournament.")
    return log


def reask(log: Log, sessions: Sessions, times: int = TIMES) -> Reasked:
    """Put every question of the match to its bots, in sessions that know nothing of each other.

    ``log`` is :func:`checked`. Where an answer differs, there are up to ``times`` sessions.
    """
    found = _twice(log, sessions)
    while found.differences and found.times < times:
        _compare_runs(found, _twice(log, sessions))
    return found


def _twice(log: Log, sessions: Sessions) -> Reasked:
    with sessions() as first, sessions() as second:
        again = _Again(log, first, second)
        again.drive_rules()
    found = again.found
    found.differences = [one for one in found.differences if one.seat not in found.unsteady]
    return found


def _compare_runs(found: Reasked, more: Reasked) -> None:
    """Take in another run: a bot that answers otherwise in it is not reproducible."""
    found.times += more.times
    for seat, one in more.unsteady.items():
        found.unsteady.setdefault(seat, one)
    answers = {(one.seq, one.seat, one.ask): one for one in more.differences}
    for one in found.differences:
        other = answers.pop((one.seq, one.seat, one.ask), None)
        said = one.recorded if other is None else other.again
        if said != one.again:
            found.unsteady.setdefault(one.seat, replace(one, once_more=said))
    for other in answers.values():  # it gave the recorded answer before
        found.unsteady.setdefault(other.seat, replace(other, once_more=other.recorded))
    found.differences = [one for one in found.differences if one.seat not in found.unsteady]


class _Again(ReplayDriver):
    """The match as it is recorded, with every question put to the bots on the way."""

    def __init__(self, log: Log, first: Asker, second: Asker) -> None:
        super().__init__(log, log.seal["seed"])
        self.at = 1
        self.found = Reasked([player["name"] for player in log.start["players"]])
        self._askers = (first, second)

    def event(self, seq: int) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.log.events[seq]
        return found

    def take(self, event: Event, clause: str) -> None:
        self.at += 1

    def answers(self, asked: Asked) -> Replies:
        replies = super().answers(asked)
        recorded = self._said(asked, replies)
        again, once_more = (self._said(asked, ask(asked)) for ask in self._askers)
        seqs = self._seqs(asked, replies)
        for part in recorded:
            self._compare(part, seqs[part.seat], recorded, again, once_more)
        return replies

    def _compare(
        self,
        part: Part,
        seq: int,
        recorded: Mapping[Part, Said],
        again: Mapping[Part, Said],
        once_more: Mapping[Part, Said],
    ) -> None:
        self.found.answers += 1
        said = (recorded[part], again.get(part, {}), once_more.get(part, {}))
        found = ChangedAnswer(seq, part.seat, part.name, *said)
        if found.again != found.once_more:
            self.found.unsteady.setdefault(part.seat, found)
        elif found.again != found.recorded:
            self.found.differences.append(found)

    def _said(self, asked: Asked, replies: Replies) -> dict[Part, Said]:
        """What each seat replied, in a form that can be compared."""
        said: dict[Part, Said] = {}
        silent = dict.fromkeys(ANSWER_CHANNELS.get(self.log.card.protocol, ()), b"")
        for part, reply in _by_part(asked, replies).items():
            raw = {**silent, **reply.raw}
            said[part] = {"fault": reply.kind} if isinstance(reply, Fault) else to_fields(raw)
        return said

    def _seqs(self, asked: Asked, replies: Replies) -> dict[int, int]:
        """Which event holds the reply of each seat."""
        if isinstance(asked, JointAsk) and isinstance(replies, list):
            return dict.fromkeys(range(len(replies)), self.at)
        seqs: dict[int, int] = {}
        for seq in range(self.at, len(self.log.events)):
            event = self.event(seq)
            if len(seqs) == len(replies or ()):
                break
            if event["type"] in ANSWERS:
                seqs[event["seat"]] = seq
        return seqs


def _by_part(asked: Asked, replies: Any) -> dict[Part, Reply]:
    """The replies with whose they are, and to what."""
    if isinstance(asked, JointAsk):
        return {Part(seat, asked.name): reply for seat, reply in replies_by_seat(replies).items()}
    return {
        Part(ask.seat, ask.name): reply for ask, reply in zip(asked, replies or (), strict=True)
    }
