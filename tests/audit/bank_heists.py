"""Matches of Bank Heist for the tests of the rules, and one audit of all that were changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.table import Fault, Reply
from tests import factories
from tests.audit.contest import Contest
from tests.audit.together import Together
from tests.audit.tournament_factory import hold
from tests.factories import HEISTS, Events, Player, printed

ODD_BETS = (
    " 7\n",
    "007",
    "+5",
    "5.0",
    "-1",
    "1\n2",
    "",
    "1_0",
    "٣",
    "\u00a05",
    "\x1c5",
    "5\0",
    "1\v",
)
ODD_ACTIONS = (" finger\n", "Finger", "finger\0", "\u00a0finger", "", "\fall in", "finger\nfinger")
LONG_BETS = ("9" * 5_000, "0" * 9_000 + "3", f"{2**127}")
ODD: dict[str, list[Reply]] = {
    "bet": [
        *(printed(text) for text in (*ODD_BETS, *LONG_BETS, b"\xff")),
        Fault("crash", {"output": b"12"}),
        Fault("timeout"),
        Fault("oversize", {"output": b"1" * 65_537}),
    ],
    "action": [
        *(printed(text) for text in (*ODD_ACTIONS, b"\xff")),
        Fault("crash", {"output": b"all in"}),
        Fault("timeout"),
        Fault("oversize", {"output": b" " * 65_537}),
    ],
}
"""Unusual answers of a bot, and ways in which it may fail."""

_TOGETHER = Together()
doctored, fired = _TOGETHER.doctored, _TOGETHER.fired


def anything(rng: random.Random) -> Player:
    """A player that takes each possible action, and at times an unusual one."""

    def play(ask: Any) -> Any:
        credits = int(ask.args[8])
        if rng.random() < 0.1:
            return rng.choice(ODD[ask.name])
        if ask.name == "bet":
            return printed(str(rng.choice([0, 5, credits // 3, credits // 2, credits + 1])))
        return printed(rng.choice([*HEISTS, "buy guard", "finger", "double cross"]))

    return play


@dataclass
class Heist:
    """A log to be changed."""

    seed: str
    events: Events

    @property
    def game(self) -> Events:
        """The events of the last game."""
        first = max(n for n, e in enumerate(self.events) if e["type"] == "game_started")
        return [event for event in self.events[first:] if event["type"] != "match_finished"]

    def event(self, **fields: Any) -> dict[str, Any]:
        """The first event of the last game that has these fields."""
        return _find(self.game, fields)[0]

    def place(self, event: dict[str, Any]) -> int:
        """The event's ``seq``."""
        return next(n for n, other in enumerate(self.events) if other is event)

    def above(self, event: dict[str, Any]) -> dict[str, Any]:
        """The event above ``event``."""
        return self.events[self.place(event) - 1]

    def drop(self, event: dict[str, Any]) -> None:
        """Leave ``event`` out."""
        del self.events[self.place(event)]

    def double(self, event: dict[str, Any]) -> dict[str, Any]:
        """Put a copy of ``event`` below it, and return the copy."""
        copy = deepcopy(event)
        self.events.insert(self.place(event) + 1, copy)
        return copy

    def lower(self, event: dict[str, Any]) -> None:
        """Let ``event`` and the one below it change places."""
        n = self.place(event)
        self.events[n : n + 2] = reversed(self.events[n : n + 2])

    def write(self, folder: Path) -> None:
        """The sealed log in a folder."""
        factories.write(folder / "log.jsonl", self.events, self.seed)


@cache
def pool() -> list[Heist]:
    """Many short matches in which everything happens; half of each way to draw the rabble."""
    matches = []
    for number in range(60):
        seed = f"{number:064x}"
        events = factories.match_events(
            anything(random.Random(seed)),
            seed,
            "bank_heist",
            players=4 + number % 3,
            games_min=6,
            games_max=6,
            rabble=4,
            rabble_draw=("subset", "size")[number % 2],
        )
        matches.append(Heist(seed, events))
    return matches


Where = Callable[[Events], bool]


def heist(where: Where = lambda game: True, **fields: Any) -> Heist:
    """A match that ends with a game in which there is an event with these fields."""
    for match in pool():
        for n, event in enumerate(match.events):
            if event["type"] == "game_finished":
                game = Heist(match.seed, match.events[: n + 1]).game
                if _find(game, fields) and where(game):
                    return sound(cut(match, n))
    raise LookupError(f"no match of the pool has a game with {fields}")


def sound(log: Heist) -> Heist:
    """Return ``log``, to be changed; as it is now, no rule may find anything in it."""
    _TOGETHER.clean.append(deepcopy(log))
    return log


def series() -> Contest:
    """Three matches of two games each between three entrants."""
    return deepcopy(_series())


def has(field: str, character: str) -> Where:
    """Whether a text of a game holds a character."""
    return lambda game: any(character in event.get(field, "") for event in game)


def has_bet(bet: int) -> Where:
    """Return whether a player bets exactly this."""
    return lambda game: bool(_find(game, {"type": "bet", "bet": bet}))


def crossed(**fields: int) -> Where:
    """Whether a cross was judged, with these fields."""
    return lambda game: bool(_find(game, {"type": "cross_judged", **fields}))


def uncrossed(game: Events) -> bool:
    """Whether there was no cross."""
    return not crossed()(game)


def fared(action: str, fate: str) -> Where:
    """Whether a player with this action fared so."""
    return lambda game: bool(_seats(game, action, fate))


def fare(log: Heist, action: str, fate: str, other: str) -> None:
    """Let the first player with this action and fate have another fate."""
    rolled = log.event(type="heist_rolled")
    seat = _seats(log.game, action, fate)[0]
    rolled["player_fates"] = (
        rolled["player_fates"][:seat] + other + rolled["player_fates"][seat + 1 :]
    )


def _seats(game: Events, action: str, fate: str) -> list[int]:
    acted = {event["seat"] for event in _find(game, {"type": "acted", "action": action})}
    fates = "".join(event["player_fates"] for event in game if event["type"] == "heist_rolled")
    return [seat for seat in sorted(acted) if fates[seat] == fate]


def _find(events: Events, fields: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for event in events if fields.items() <= event.items()]


def cut(match: Heist, last: int) -> Heist:
    """The match as if it had been set to end with the game that the event ``last`` finishes."""
    log = deepcopy(Heist(match.seed, match.events[: last + 1]))
    games = log.events[last]["number"] + 1
    credits = log.events[last]["credits"]
    log.events[0]["settings"].update(games_min=games, games_max=games)
    log.events[1]["games"] = games
    winners = [seat for seat, own in enumerate(credits) if own == max(credits)]
    log.events.append(
        {"type": "match_finished", "reason": "played", "scores": credits, "winners": winners}
    )
    return log


@cache
def _series() -> Contest:
    made = hold(
        "bank_heist",
        ("Anna", "Ben", "Cleo"),
        lambda match: anything(random.Random(match.id)),
        matches=3,
        games_min=2,
        games_max=2,
        rabble=3,
    )
    _TOGETHER.clean.append(made)
    return made
