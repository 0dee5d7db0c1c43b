"""Imported logs of Bank Heist: what a transcript of our own matches tells, and no more."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.bank_heist.events import Settings
from schema import seal
from tests import factories
from tests.audit.contest import sealed
from tests.audit.together import Change, Together
from tests.factories import Events, Player, printed

GAINS = ("heist", "intel", "deposit", "withdraw")

_TOGETHER = Together()
doctored = _TOGETHER.doctored


def transcript(match: Events, results: bool = True) -> Events:
    """A match as the log that its transcript makes; older ones have no ``results``."""
    start = {**match[0], "source": "imported", "settings": _SETTINGS}
    del start["seed_commitment"]
    start["players"] = [{**player, "bot": seal.NO_FILES} for player in start["players"]]
    return [start, *_told(match, results), match[-1]]


def write(events: Events) -> bytes:
    """The sealed imported log."""
    return sealed(events, "")


_SETTINGS = Settings.model_validate({"rabble_draw": "size"}).model_dump()


def _told(match: Events, results: bool) -> Iterator[dict[str, Any]]:
    ranking = list(range(len(match[0]["players"])))
    order: list[int] = []
    won: dict[int, int] = {}
    fates = ""
    for event in match:
        match event["type"]:
            case "game_started":
                order, won, fates = [], {}, ""
                yield event
            case "answered":
                yield event
            case "fault":
                yield {"type": "answered", "seat": event["seat"], "ask": event["ask"], "output": ""}
            case "bet":
                order.append(event["seat"])
                yield event
            case "acted":
                yield event
            case "heist_rolled":
                fates = event["player_fates"]
            case "moved" if event["what"] == "winnings" and event["why"] in GAINS:
                won[event["seat"]] = event["after"]
            case "game_finished":
                if results:
                    yield from _seen(event["number"], order, fates, won)
                ranking.sort(key=lambda seat: -event["credits"][seat])
                yield {
                    "type": "credits_seen",
                    "number": event["number"],
                    "ranking": list(ranking),
                    "credits": event["credits"],
                }


def _seen(
    number: int, order: list[int], fates: str, won: dict[int, int]
) -> Iterator[dict[str, Any]]:
    for seat in order:
        seen = {"type": "heist_seen", "number": number, "seat": seat}
        if fates[seat : seat + 1] == "s":
            yield {**seen, "succeeded": 1, "winnings": won.get(seat, 0)}
        elif fates[seat : seat + 1] == "f":
            yield {**seen, "succeeded": 0}


def modest(rng: random.Random) -> Player:
    """A player that keeps to a few actions of its own for a while, as people's bots do."""
    habits: dict[int, list[str]] = {}

    def play(ask: Any) -> Any:
        credits = int(ask.args[8])
        if ask.seat not in habits or rng.random() < 0.02:
            habits[ask.seat] = rng.sample([*factories.HEISTS, "finger", "double cross"], 2)
        if ask.name == "bet":
            return printed(str(rng.choice([0, 1, 1, 69, credits // 10, credits])))
        return printed(rng.choice(habits[ask.seat]))

    return play


def saving(rng: random.Random) -> Player:
    """A player that often puts winnings into its accounts, and takes them out again."""

    def play(ask: Any) -> Any:
        credits = int(ask.args[8])
        if ask.name == "bet":
            return printed(str(rng.choice([credits, credits // 2, 100, 5])))
        actions = ["deposit", "withdraw", "withdraw", "double cross", "finger", ""]
        return printed(rng.choice(actions))

    return play


def played(number: int, games: int, players: int = 4, rabble: int = 4) -> Events:
    """A match that followed the rules; ``number`` is its seed."""
    seed = f"{number:064x}"
    player = (modest, factories.at_random)[number % 2](random.Random(seed))
    settings = {"games_min": games, "games_max": games, "rabble": rabble, "rabble_draw": "size"}
    return factories.match_events(player, seed, "bank_heist", players, **settings)


def sound(number: int, games: int, players: int, rabble: int, results: bool) -> Events:
    """The imported log of a match that followed the rules."""
    return transcript(played(number, games, players, rabble), results)


@dataclass
class Transcript:
    """An imported log to be changed; ``match`` is the last game of what it was made from."""

    events: Events
    match: Events

    @property
    def table(self) -> dict[str, Any]:
        """The last table of credits."""
        return self.events[-2]

    @property
    def before(self) -> list[int]:
        """The credits by seat before the last game."""
        tables = [event for event in self.events[:-2] if event["type"] == "credits_seen"]
        credits: list[int] = tables[-1]["credits"] if tables else [240] * len(self.table["credits"])
        return credits

    def event(self, **fields: Any) -> dict[str, Any]:
        """The last event that has these fields."""
        return next(e for e in reversed(self.events) if fields.items() <= e.items())

    def drop(self, event: dict[str, Any]) -> None:
        """Leave ``event`` out."""
        del self.events[next(n for n, other in enumerate(self.events) if other is event)]

    def seat(self, **fields: Any) -> int:
        """The seat of the first event of the last game, as it was played, with these fields."""
        return int(next(e["seat"] for e in self.match if fields.items() <= e.items()))

    def give(self, seat: int, credits: int) -> None:
        """Let a seat have other credits in the last table, which is ranked anew."""
        self.table["credits"][seat] = credits
        tables = [event for event in self.events[:-2] if event["type"] == "credits_seen"]
        order = tables[-1]["ranking"] if tables else range(len(self.before))
        own = self.table["credits"]
        self.table["ranking"] = sorted(order, key=lambda seat: -own[seat])

    def write(self, folder: Path) -> None:
        """The sealed log in a folder."""
        folder.mkdir()
        (folder / "log.jsonl").write_bytes(write(self.events))


@cache
def _pool() -> list[Events]:
    return [played(number, 8, 4 + number % 3, 3) for number in range(80)]


def seen(where: Callable[[Events], bool] = bool, results: bool = False) -> Transcript:
    """An imported log that ends with a game such as ``where`` wants it, as it was played."""
    for match in _pool():
        starts = [n for n, event in enumerate(match) if event["type"] == "game_started"]
        for first, after in zip(starts, [*starts[1:], len(match) - 1], strict=True):
            game = match[first:after]
            if first > starts[0] and where(game):
                credits = game[-1]["credits"]
                winners = [seat for seat, own in enumerate(credits) if own == max(credits)]
                end = {**match[-1], "scores": credits, "winners": winners}
                log = Transcript(deepcopy(transcript([*match[:after], end], results)), game)
                _TOGETHER.clean.append(deepcopy(log))
                return log
    raise LookupError("no match of the pool has such a game")


def has(*wanted: dict[str, Any]) -> Callable[[Events], bool]:
    """Whether a game has an event with each of these sets of fields."""
    return lambda game: all(any(w.items() <= e.items() for e in game) for w in wanted)


def fired(change: Change) -> set[str]:
    """The rules that find something in a changed log, and nothing in the same log unchanged."""
    return {id.removeprefix("bank_heist/") for id in _TOGETHER.fired(change)}


def _saved(number: int) -> Transcript:
    """Twelve games of savers, as they were played."""
    seed, settings = f"{number:064x}", {"games_min": 12, "games_max": 12, "rabble_draw": "size"}
    play, players, rabble = saving(random.Random(number)), 3 + number % 3, (0, 2)[number % 2]
    match = factories.match_events(play, seed, "bank_heist", players, **settings, rabble=rabble)
    return Transcript(transcript(match, results=False), match)


_TOGETHER.clean += [_saved(number) for number in (0, 2, 5)]
