"""Matches of Bank Heist for the tests: played by callables, to a script, or at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.bank_heist.rules import LEGAL_ACTIONS, play
from games.bank_heist.state import State
from games.table import Ask, Fault, MatchTable, Reply
from schema import registry, seal
from schema.dice import Dice
from schema.events import FORMAT
from schema.reader import Log, parse
from tests.factories import BOT, SEED, Events, drive_rules, printed, sealed

CARD = registry.card("bank_heist")
Bot = Callable[[Ask], Reply]


@dataclass
class Played:
    """A match as it went: its events (with the start in front), their clauses, what was asked."""

    events: Events
    clauses: list[str] = field(default_factory=lambda: [""])
    asks: list[Ask] = field(default_factory=list)

    def of(self, type: str, **fields: object) -> Events:
        """The events of this type with these fields."""
        return [
            event
            for event in self.events
            if event["type"] == type and fields.items() <= event.items()
        ]

    def moves(self, seat: int, game: int = 0) -> list[str]:
        """Return a seat's movements in a game, as ``why what before>after``, or ``what@bank``."""
        return [shown(event) for event in self.of("moved", seat=seat, number=game)]

    def args(self, name: str, seat: int = 0, game: int = 0) -> tuple[str, ...]:
        """Return the arguments of a seat's question for its bet or its action in a game."""
        for ask in self.asks:
            args = arguments(ask)
            if (ask.name, ask.seat, args[0]) == (name, seat, str(game)):
                return args
        raise AssertionError(f"seat {seat} was not asked for its {name} in game {game}")

    def clause_of(self, event: Mapping[str, Any]) -> str:
        """The clause under which an event was emitted."""
        return self.clauses[self.events.index(dict(event))]

    def log(self, seed: str = SEED) -> Log:
        """The match as a sealed log, strictly read."""
        return parse(sealed(self.events, seed), Path("heist.jsonl"))

    @property
    def credits(self) -> list[int]:
        """The final credits, by seat."""
        scores: list[int] = self.events[-1]["scores"]
        return scores


def arguments(ask: Ask) -> tuple[str, ...]:
    """Return the arguments that the bot gets."""
    return ask.args


def shown(event: Mapping[str, Any]) -> str:
    """A ``moved`` event in short."""
    at = f"@{event['bank']}" if "bank" in event else ""
    return f"{event['why']} {event['what']}{at} {event['before']}>{event['after']}"


def match(
    bot: Bot,
    players: int = 3,
    dice: Dice | None = None,
    start: Callable[[State], None] = lambda state: None,
    **settings: object,
) -> Played:
    """A match in which ``bot`` answers for every seat; a game without rabble, if not set otherwise.

    ``start`` may change what everybody has before the first game.
    """
    dice = dice or Dice(SEED)
    games = settings.pop("games", 1)
    model: Any = CARD.settings({"rabble": 0, "games_min": games, "games_max": games} | settings)
    names = [f"player{seat}" for seat in range(players)]
    played = Played(
        [
            {
                "type": "match_started",
                "format": FORMAT,
                "game": "bank_heist",
                "rules": CARD.rules,
                "tournament": seal.tournament_id(seal.commitment(dice.seed)),
                "match": "1-000000",
                "players": [{"seat": n, "name": name, "bot": BOT} for n, name in enumerate(names)],
                "settings": model.model_dump(),
                "seed_commitment": seal.commitment(dice.seed),
            }
        ]
    )

    def record(event: Any, clause: str) -> None:
        played.events.append(dict(event))
        played.clauses.append(clause)
        if event["type"] == "games_drawn":
            assert isinstance(table.state, State)
            start(table.state)

    table = MatchTable(names, model, dice, record)
    played.asks = drive_rules(play(table), bot)
    return played


# --- To a script ---------------------------------------------------------------------------------


class Loaded(Dice):
    """Dice with scripted results, by label; without a script 0, no, and the given order.

    ``chances`` keeps the chances that the rules asked for.
    """

    def __init__(self, falls: Mapping[str, Any]) -> None:
        super().__init__(SEED)
        self.falls = falls
        self.chances: dict[str, tuple[int, int]] = {}

    def below(self, label: str, n: int) -> int:
        """The value told, which must be one of ``n``."""
        value: int = self.falls.get(label, 0)
        assert 0 <= value < n
        return value

    def chance(self, label: str, a: int, b: int) -> bool:
        """As told."""
        self.chances[label] = (a, b)
        return bool(self.falls.get(label, False))

    def bulk(self, label: str, count: int) -> list[int]:
        """The words told, else those of the seed."""
        return self.falls.get(label) or super().bulk(label, count)

    def shuffle(self, label: str, items: Sequence[str]) -> list[str]:
        """The order told, in one string with spaces."""
        order = self.falls.get(label)
        if order is None:
            return list(items)
        assert sorted(order.split()) == sorted(items)
        return list(order.split())


Script = Sequence[Sequence[str]]
"""By game and seat: a bet, an action, and how the heist goes, ``+`` or ``-``: ``69 finger +``."""


def heist(
    *games: Sequence[str],
    dice: Mapping[str, Any] | None = None,
    start: Callable[[State], None] = lambda state: None,
) -> Played:
    """A match to a script, without rabble; nobody is hired unless ``dice`` printed so."""
    return match(scripted(games), len(games[0]), loaded(games, dice or {}), start, games=len(games))


def scripted(games: Script) -> Bot:
    """A bot that answers to a script."""

    def bot(ask: Ask) -> Reply:
        words = games[int(arguments(ask)[0])][ask.seat].rstrip("+- ").split(" ", 1)
        return printed(words[0] if ask.name == "bet" else words[1])

    return bot


def loaded(games: Script, falls: Mapping[str, Any]) -> Loaded:
    """Dice for a script."""
    fates = {
        f"game/{number}/success/{seat}": line.endswith("+")
        for number, game in enumerate(games)
        for seat, line in enumerate(game)
    }
    return Loaded(fates | dict(falls))


# --- At random -----------------------------------------------------------------------------------

JUNK = (b"", b"-1", b"+5", b"5.0", b"1\n2", b"\xff\xfe", "٣".encode(), b"finger\n", b"!guncheck")


def at_random(rng: random.Random, faulty: float = 0.05) -> Bot:
    """A bot that does everything, and sometimes fails."""

    def bot(ask: Ask) -> Reply:
        if rng.random() < faulty:
            kind = rng.choice(["crash", "timeout", "oversize"])
            wrong: list[Reply] = [Fault(kind, {"output": b"7"}), Fault(kind), *map(printed, JUNK)]
            return rng.choice(wrong)
        if ask.name == "action":
            return printed(rng.choice([*LEGAL_ACTIONS, "double cross", "finger", "!guncheck"]))
        credits = int(arguments(ask)[8])
        return printed(str(rng.choice([0, 1, credits // 10, credits // 2, credits + 1])))

    return bot
