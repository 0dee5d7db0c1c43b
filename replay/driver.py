"""Runs the rules of a log: answers each question from the log, and receives each event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from operator import eq
from sys import intern
from typing import Any, TypeVar

import orjson

from games import recorded
from games.driving import StopRules, drive_stepwise
from games.recorded import ANSWERS
from games.table import (
    Ask,
    JointAsk,
    Match,
    MatchTable,
    Part,
    Played,
    Replies,
    Reply,
    Schedule,
    State,
    Table,
    TournamentTable,
    joint_replies,
    replies_by_seat,
)
from schema import contract
from schema.canonical import Event, same
from schema.dice import Dice, Trace
from schema.errors import GameError
from schema.reader import Log

T = TypeVar("T")

Question = Sequence[Ask] | JointAsk
"""Questions that the rules ask at the same time, or one question to all seats."""

Pending = Question | Match
"""A request of the rules that is not answered yet: for answers, or for the result of a match."""


class OutOfAnswers(StopRules):
    """Raised when the log holds fewer answers than the rules ask for."""


class ReplayDriver:
    """Runs the rules of ``log`` with the dice of ``seed`` and the recorded answers.

    Events are only counted, unless a subclass overrides :meth:`receive`. ``trace`` is called with
    each die.
    """

    match_table: type[MatchTable[Any]] = MatchTable
    """The class of a match's table."""
    next_seq = 1
    """The ``seq`` of the next event. The rules do not emit the log's first one."""
    pending: Pending = ()
    """The last request of the rules."""

    def __init__(self, log: Log, seed: str, trace: Trace | None = None) -> None:
        self.log = log
        self.equal = equality(log)
        dice, settings = Dice(seed, trace), log.settings()
        entries = log.start["players" if log.kind == "match" else "entrants"]
        names = [entry["name"] for entry in entries]
        if log.kind == "match":
            self.table: Table[Any] = self.match_table(names, settings, dice, self.receive)
            self._rules = log.version.match_rules()(self.table)
        else:
            pairings = log.start.get("pairings")
            self.table = TournamentTable(names, settings, dice, self.receive, pairings)
            self._rules = log.version.tournament_rules()(self.table)

    def receive(self, event: Event, clause: str) -> None:
        """Count one event that the rules emit under ``clause``."""
        self.next_seq += 1

    def recorded_event(self, seq: int) -> Mapping[str, Any]:
        """Return the event ``seq`` of the log. Raises OutOfAnswers if there is none."""
        if seq >= len(self.log.events):
            raise OutOfAnswers
        event: Mapping[str, Any] = self.log.events[seq]
        return event

    def is_recorded(self, event: Event) -> bool:
        """Return whether ``event`` is the next event of the log."""
        return self.equal(event, self.log.events[self.next_seq])

    def drive_rules(self) -> None:
        """Run the rules to their end.

        Raises OutOfAnswers, GameError if the rules fail, and what :meth:`receive` raises.
        """
        for _ in self.drive_and_take([]):
            pass

    def drive_and_take(self, collected: list[T]) -> Iterator[T]:
        """Run the rules; yield, and remove, what is added to ``collected``; raises the same errors.

        The rules pause before each answer, so that the list stays short.
        """
        answer = self.answer if self.log.kind == "match" else self.results
        for _ in drive_stepwise(self._rules, answer):
            yield from collected
            collected.clear()
        yield from collected
        collected.clear()

    def answer(self, question: Question) -> Replies:
        """Return the recorded replies to ``question``."""
        if isinstance(question, JointAsk):
            self.pending = question.copy()
            return self._joint_answers(question)
        self.pending = question
        return recorded.read_replies(
            self.log, question, map(self.recorded_event, count(self.next_seq))
        )

    def _joint_answers(self, question: JointAsk) -> Replies:
        choices = recorded.read_choices(self.log, question, self.recorded_event(self.next_seq))
        if choices is not None:
            return choices
        replies = recorded.read_replies_by_seat(
            self.log, map(self.recorded_event, count(self.next_seq))
        )
        seats = range(len(self.table.players))
        if (question.legal and not replies) or not all(seat in seats for seat in replies):
            raise OutOfAnswers
        return joint_replies(question, replies, len(seats))  # as a referee would have passed them

    def answer_seqs(self, question: Question, replies: Replies) -> list[int]:
        """Return the ``seq`` of the event that holds each of the recorded ``replies``."""
        number = len(replies or ())
        if isinstance(question, JointAsk):
            event = self.recorded_event(self.next_seq)
            if recorded.carries(self.log, question, event):
                return [self.next_seq] * number
        following = range(self.next_seq, len(self.log.events))
        seqs = (seq for seq in following if self.recorded_event(seq)["type"] in ANSWERS)
        return list(islice(seqs, number))

    def results(self, schedule: Schedule) -> Played:
        """Return the recorded results of the matches of ``schedule``."""
        results: Played = []
        following = map(self.recorded_event, count(self.next_seq))
        played = (event for event in following if event["type"] == "match_played")
        for match in schedule.matches:
            self.pending = match
            result = recorded.read_result(next(played))
            shared = replace(result, reason=intern(result.reason))  # rules hold many results
            results.append((match, shared))
            if schedule.until_fault and result.faults:
                break
        return results

    def snapshot(self) -> dict[str, object] | None:
        """Return the current state as plain JSON values; None if the rules keep none.

        Raises GameError if the state of a package gives anything else.
        """
        state: State | None = self.table.state
        if state is None:
            return None
        card = self.log.card
        if card.built_in:
            return state.snapshot()
        try:
            plain = orjson.loads(orjson.dumps(state.snapshot()))
        except BaseException as error:
            found = contract.describe(error, card.package)
        else:
            if isinstance(plain, dict):
                return plain
            found = f"{plain!r:.80}"
        raise GameError(
            f"the package of {self.log.version.name} is broken: {type(state).__name__}.snapshot(): "
            f"expected plain JSON values by name, found {found}."
        )


def equality(*logs: Log | None) -> Callable[[object, object], bool]:
    """Return the function that compares the events and states of ``logs``.

    In Koth's own games equal values are written alike, because each field has one type, and to
    write large states takes longer.
    """
    return eq if all(log is None or log.card.built_in for log in logs) else same


def replies_by_part(question: Question, replies: Any) -> dict[Part, Reply]:
    """Return ``replies`` by seat and name of the question that each of them answers."""
    if isinstance(question, JointAsk):
        by_seat = replies_by_seat(replies)
        return {Part(seat, question.name): reply for seat, reply in by_seat.items()}
    pairs = zip(question, replies, strict=True)
    return {ask.part: reply for ask, reply in pairs}
