"""Logs for the tests of the rules: matches of Coup with a certain turn, changed, sealed again."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from games.coup.cards import numbered, symbols
from games.table import Ask, FileCall, Reply
from schema.dice import Dice
from tests import factories
from tests.audit.together import Together
from tests.factories import Events, Player

CALLS = ("answered", "fault")

_TOGETHER = Together()
doctored, fired = _TOGETHER.doctored, _TOGETHER.fired


def patient(rng: random.Random) -> Player:
    """Like :func:`factories.at_random`, with fewer challenges, so that matches last longer."""
    at_random = factories.at_random(rng)

    def play(ask: Ask) -> Any:
        rare = ("q", "A", "C", "E")
        common = tuple(legal for legal in ask.legal if legal not in rare)
        if common and rng.random() < 0.6:
            ask = Ask(ask.seat, ask.name, ask.observation, common)
        return at_random(ask)

    return play


@dataclass
class Doctored:
    """A log to be changed. ``turn`` holds the events of the calls of the turn asked for."""

    seed: str
    events: Events
    turn: list[dict[str, Any]] = field(default_factory=list)

    def place(self, event: dict[str, Any]) -> int:
        """The event's ``seq``."""
        return next(n for n, other in enumerate(self.events) if other is event)

    def after(self, event: dict[str, Any], type: str) -> dict[str, Any]:
        """The first event of a type after ``event``."""
        return next(e for e in self.events[self.place(event) :] if e["type"] == type)

    def before(self, event: dict[str, Any], type: str) -> dict[str, Any]:
        """The last event of a type before ``event``."""
        return next(e for e in self.events[self.place(event) :: -1] if e["type"] == type)

    def first(self, type: str) -> dict[str, Any]:
        """The first event of a type."""
        return self.after(self.events[0], type)

    def drop(self, event: dict[str, Any]) -> None:
        """Leave ``event`` out."""
        del self.events[self.place(event)]

    def insert(self, event: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
        """Insert a copy of ``event`` after ``after``, and return it."""
        copy = deepcopy(event)
        self.events.insert(self.place(after) + 1, copy)
        return copy

    def coins(self, event: dict[str, Any]) -> list[int]:
        """The coins by seat just before ``event``."""
        above = self.events[: self.place(event)]
        coins: list[int] = next(e["coins"] for e in reversed(above) if "coins" in e)
        return coins

    def hand(self, event: dict[str, Any], seat: int) -> str:
        """The hand of a seat just before ``event``."""
        above = self.events[: self.place(event)]
        hand: str = next(
            e["hand"] if "hand" in e else e["hands"][seat]
            for e in reversed(above)
            if "hands" in e or ("hand" in e and e["seat"] == seat)
        )
        return hand

    def deck(self, event: dict[str, Any]) -> str:
        """The deck just before ``event``."""
        above = self.events[: self.place(event)]
        deck: str = next(e["deck"] for e in reversed(above) if "deck" in e)
        return deck

    def cut(self, last: dict[str, Any]) -> None:
        """End the match with ``last``, as a draw after the last call that the settings allow."""
        del self.events[self.place(last) + 1 :]
        calls = sum(event["type"] in CALLS for event in self.events)
        self.events[0]["settings"]["max_calls"] = calls
        self.events.append(
            {"type": "match_finished", "reason": "drawn", "scores": [0, 0], "winners": []}
        )

    def sealed(self) -> bytes:
        """The bytes of the log as it is now."""
        return factories.sealed(self.events, self.seed)

    def write(self, folder: Path) -> None:
        """The sealed log in a folder."""
        factories.write(folder / "log.jsonl", self.events, self.seed)


Where = Callable[[Doctored], bool]


def turn(pattern: str, where: Where = lambda log: True) -> Doctored:
    """A match that ends, as a draw, with a turn whose text matches ``pattern``."""
    return _search(pattern, where, last=False)


def ending(pattern: str, where: Where = lambda log: True) -> Doctored:
    """A match that is won by elimination with a turn whose text matches ``pattern``."""
    return _search(pattern, where, last=True)


def with_player(player: Player, seed: str = factories.SEED, **settings: Any) -> Doctored:
    """A match in which ``player`` answers for both."""
    log = Doctored(seed, factories.match_events(player, seed, **settings))
    log.turn = [event for event in log.events if event["type"] in CALLS]
    return log


def failing(reply: Reply, question: str = "turn") -> Doctored:
    """A match that ends when a player gives ``reply`` to a question of this name."""
    at_random = patient(random.Random(1))

    def player(ask: Ask) -> Any:
        assert isinstance(ask.observation, FileCall)
        due = ask.name == question and len(ask.observation.history) > 2
        return reply if due else at_random(ask)

    return _noted(with_player(player))


@cache
def _pool() -> list[Doctored]:
    seeds = [f"{number:064x}" for number in range(300)]
    return [
        Doctored(seed, factories.match_events(patient(random.Random(seed)), seed)) for seed in seeds
    ]


def _search(pattern: str, where: Where, last: bool) -> Doctored:
    for played in _pool():
        turns: list[list[int]] = [[]]
        for place, event in enumerate(played.events):
            if event["type"] == "answered":
                turns[-1].append(place)
                if event["appended"].endswith("\n"):
                    turns.append([])
        turns = [calls for calls in turns if calls]
        for calls in turns[-1:] if last else turns[:-1]:
            text = "".join(played.events[place]["appended"] for place in calls)
            if not re.fullmatch(pattern, text):
                continue
            log = Doctored(played.seed, deepcopy(played.events))
            log.turn = [log.events[place] for place in calls]
            if not last:
                following = next(
                    n for n, e in enumerate(log.events) if n > calls[-1] and e["type"] in CALLS
                )
                log.cut(log.events[following - 1])
            if where(log):
                return _noted(log)
    raise LookupError(f"no match of the pool has a turn like {pattern!r}")


def _noted(log: Doctored) -> Doctored:
    _TOGETHER.clean.append(deepcopy(log))
    return log


def reshuffled(log: Doctored, call: dict[str, Any], cards: str) -> str:
    """``cards`` as the dice of a call order them."""
    number = sum(event["type"] in CALLS for event in log.events[: log.place(call) + 1])
    return symbols(Dice(log.seed).shuffle(f"call/{number}/shuffle", numbered(cards)))
