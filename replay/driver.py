"""Rules driven by a log: it sets the table, answers every question, and takes every event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from games import recorded
from games.table import (
    Ask,
    JointAsk,
    Match,
    MatchTable,
    Played,
    Replies,
    Schedule,
    StopRules,
    Table,
    TournamentTable,
    drive_rules,
)
from schema.canonical import Event
from schema.dice import Dice, Trace
from schema.reader import Log

Asked = Sequence[Ask] | JointAsk | Match
"""What the rules wait for: answers, or the result of a match."""


class OutOfAnswers(StopRules):
    """The log holds fewer answers than the rules ask for."""


class ReplayDriver(ABC):
    """The rules of ``log``, from ``seed``, answered with what it holds.

    Only its start need be in ``log.events``; the events are had one by one from :meth:`event`.
    """

    at = 0
    """How many events there are so far; so the ``seq`` of the next."""
    asked: Asked = ()
    """What the rules asked last."""

    def __init__(self, log: Log, seed: str, trace: Trace | None = None) -> None:
        self.log = log
        self._carriers = log.version.carriers
        dice, settings = Dice(seed, trace), log.settings()
        names = [p["name"] for p in log.start["players" if log.kind == "match" else "entrants"]]
        if log.kind == "match":
            self.table: Table[Any] = MatchTable(names, settings, dice, self.take)
            self._rules = log.version.match_rules()(self.table)
        else:
            self.table = TournamentTable(names, settings, dice, self.take)
            self._rules = log.version.tournament_rules()(self.table)

    @abstractmethod
    def event(self, seq: int) -> Mapping[str, Any]:
        """The event that is recorded as ``seq``. Raises OutOfAnswers when there is none."""

    @abstractmethod
    def take(self, event: Event, clause: str) -> None:
        """Hold one event of the rules against the one recorded in its place."""

    def drive_rules(self) -> None:
        """Drive the rules to their end. Raises OutOfAnswers, and what :meth:`take` raises."""
        drive_rules(self._rules, self.answers if self.log.kind == "match" else self.results)

    def answers(self, asked: Sequence[Ask] | JointAsk) -> Replies:
        """What the log holds as answers to ``asked``."""
        if isinstance(asked, JointAsk):
            self.asked = asked.copy()
            return self._joint_answers(asked)
        self.asked = asked
        return recorded.replies(self.log, asked, map(self.event, count(self.at)))

    def _joint_answers(self, asked: JointAsk) -> Replies:
        choices = recorded.carried(self.log, asked, self.event(self.at))
        if choices is not None:
            return choices
        replies = recorded.each(self.log, map(self.event, count(self.at)))
        seats = range(len(self.table.players))
        if (asked.legal and not replies) or not all(seat in seats for seat in replies):
            raise OutOfAnswers
        return replies or None

    def results(self, schedule: Schedule) -> Played:
        """What the log holds as results of the matches of ``schedule``."""
        found: Played = []
        following = map(self.event, count(self.at))
        played = (event for event in following if event["type"] == "match_played")
        for match in schedule.matches:
            self.asked = match
            result = recorded.result(next(played))
            found.append((match, result))
            if schedule.until_fault and result.faults:
                break
        return found
