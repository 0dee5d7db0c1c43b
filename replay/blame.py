"""Tries each other answer of one seat in a match, and ranks its decisions by their effect.

Each line of play differs from the match in one answer, and is played to its end by the real bots
with the same dice. So the result is true for this match only: with other dice, or against other
bots, the recorded answer may be better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from games.narration import Narrator
from games.table import Answer, Reply
from replay.decisions import decisions_of
from replay.driver import replies_by_part
from replay.errors import ReplayError
from replay.questions import seat_text
from replay.reask import AskerByPart, OpenSession, reask
from replay.render import shown
from replay.timeline import answer_types
from replay.whatif import WhatIf, what_if
from schema import contract
from schema.bot_output import ANSWER_CHANNELS, to_fields
from schema.canonical import Event
from schema.errors import GameError, UsageError
from schema.log_path import path_text
from schema.reader import Log

Written = Mapping[str, bytes]
"""An answer, by channel."""


@dataclass(frozen=True)
class Choice:
    """A decision of the seat, with the answers that it could have given instead."""

    seq: int
    """The event that holds the recorded answer."""
    ask: str
    """The name of the question."""
    answer: Written
    """The recorded answer."""
    others: Sequence[Written]


@dataclass(frozen=True)
class Line:
    """A line of play: the match after another answer, played to its end."""

    answer: Written
    sentence: str
    """The other answer in plain words."""
    end: Event
    """The result."""
    swing: int
    """The seat's score, minus the recorded one."""


@dataclass(frozen=True)
class Blamed:
    """A decision with its lines of play, the best one first."""

    seq: int
    sentence: str
    """The recorded answer in plain words."""
    lines: Sequence[Line]

    @property
    def swing(self) -> int:
        """The swing of the best line."""
        return self.lines[0].swing


@dataclass(frozen=True)
class Blame:
    """The decisions of a seat, ranked."""

    log: Log
    seat: int
    ranked: Sequence[Blamed]
    not_tried: int = 0
    """Number of decisions that are left, after an interrupt."""

    @property
    def score(self) -> int:
        """The recorded score of the seat."""
        return score(self.log.events[-2], self.seat)


def score(end: Event, seat: int) -> int:
    """Return the score of a seat in a ``match_finished`` event."""
    scores: Any = end["scores"]
    return int(scores[seat])


def choices(log: Log, seat: int) -> list[Choice]:
    """Return the decisions of ``seat`` that had an alternative, in order.

    ``log`` comes from :func:`replay.reask.read_verified`. Raises UsageError if the match has no
    such seat, or if the card of its game names no ``alternatives``, and GameError for a broken
    package.
    """
    players = log.start["players"]
    if not 0 <= seat < len(players):
        problem = f"expected a seat from 0 to {len(players) - 1}, found {seat}"
        raise UsageError(f"{path_text(log.path)}: --seat: {problem}.")
    answers = log.card.alternative_answers()
    if answers is None:
        raise UsageError(
            f"{path_text(log.path)}: the card of {log.card.title} names no `alternatives`, so the "
            "other answers to a question are unknown. `koth replay --answer` tries one of yours."
        )
    choices = []
    for decision in decisions_of(log, seat):
        seq, reply = decision.seq, decision.reply
        if seq is not None and reply is not None and decision.question.legal:
            try:
                named = [*answers(decision.question, deepcopy(log.start["settings"]))]
                for answer in named:
                    _check_channels(answer, ANSWER_CHANNELS[log.card.protocol])
                others = [answer.raw for answer in named if not _is_same(answer, reply)]
            except BaseException as error:
                where = f"alternatives = '{log.card.alternatives}'"
                problem = contract.describe(error, log.card.package)
                raise GameError(
                    f"the package of {log.card.name} is broken: {where}: expected a list of "
                    f"Answer: {problem}."
                ) from error
            if others:
                choices.append(Choice(seq, decision.question.name, dict(reply.raw), others))
    return choices


def _check_channels(answer: Answer, channels: Sequence[str]) -> None:
    """Raise TypeError if an answer of a package does not hold bytes in some of ``channels``."""
    for channel, written in answer.raw.items():
        if channel not in channels or not isinstance(written, bytes):
            expected = " or ".join(channels)
            raise TypeError(f"expected bytes of {expected}, found {channel}: {written!r:.40}")


def _is_same(answer: Answer, reply: Reply) -> bool:
    """Return whether a legal reply says the same, but for white space around it."""
    return isinstance(reply, Answer) and all(
        reply.raw.get(channel, b"").strip() == written.strip()
        for channel, written in answer.raw.items()
    )


def check_reproducible(log: Log, open_session: OpenSession) -> None:
    """Play the recorded match again; raise ReplayError if a bot gives another answer now."""

    @contextmanager
    def by_part() -> Iterator[AskerByPart]:
        with open_session() as ask:
            yield lambda question: replies_by_part(question, ask(question))

    result = reask(log, by_part, range(len(log.start["players"])), times=2)
    changes = [*result.not_reproducible.values(), *result.differences]
    if changes:
        change = min(changes, key=lambda change: change.seq)
        now = [change.again, change.once_more]
        answers = " and then ".join(map(shown, now if now[0] != now[1] else now[:1]))
        raise _refusal(
            log,
            f"{seat_text(log, change.seat)} answered {shown(change.recorded)} in event "
            f"{change.seq}, and answers {answers} to the same question now",
        )


def _refusal(log: Log, reason: str) -> ReplayError:
    return ReplayError(
        f"{path_text(log.path)}: {reason}. Expected bots that always give the same answer; "
        "otherwise a result may have another cause than the other answer."
    )


def play_lines(log: Log, seat: int, choice: Choice, open_session: OpenSession) -> Blamed:
    """Play the lines of one decision to their ends.

    Raises ReplayError if a bot answers otherwise than recorded before that decision.
    """
    narrate = Narrator(log.card, log.start)
    recorded = score(log.events[-2], seat)
    lines = []
    for answer in choice.others:
        with open_session() as asker:
            result = what_if(log, choice.seq, answer, seat, asker)
        if result.changed or result.end is None:
            raise _refusal(log, f"a bot gave other answers before event {choice.seq}")
        event = _answer_event(log, choice.ask, result)
        sentence = _sentence(narrate, event, seat, result.answer)
        swing = score(result.end, seat) - recorded
        lines.append(Line(result.answer, sentence, result.end, swing))
    lines.sort(key=lambda line: -line.swing)
    said = _sentence(narrate, log.events[choice.seq], seat, choice.answer)
    return Blamed(choice.seq, said, lines)


def _sentence(narrate: Narrator, event: Event, seat: int, answer: Written) -> str:
    """Return an answer in plain words: those of its event, after those of the seat's own part."""
    own = {"type": "answered", "seat": seat, **to_fields(answer)}
    return narrate(event) if "seat" in event else f"{narrate(own)} {narrate(event)}"


def _answer_event(log: Log, ask: str, result: WhatIf) -> Event:
    """Return the event that holds the other answer to the question ``ask``."""
    types, seat = answer_types(log), result.seat
    for step in result.steps:
        event = step.event
        own = event.get("seat", seat) == seat and event.get("ask", ask) == ask
        if own and event["type"] in types:
            return event
    # The rules may not record it if another bot failed at the same question (SU-9).
    return {"type": "answered", "seat": seat, "ask": ask, **to_fields(result.answer)}


def rank(log: Log, seat: int, blamed: Iterable[Blamed], not_tried: int = 0) -> Blame:
    """Return the decisions with the largest swing first.

    Of equal ones the last comes first: after it, fewer answers could still change the result.
    """
    ranked = sorted(blamed, key=lambda decision: (-decision.swing, -decision.seq))
    return Blame(log, seat, ranked, not_tried)
