"""Logs for the tests: matches played by callables, and logs changed and sealed again."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import orjson

from games import table
from games.table import Answer, Ask, MatchTable, Reply
from schema import registry, seal
from schema.canonical import Event, line
from schema.dice import Dice
from schema.events import FORMAT
from schema.reader import SEALS

A = TypeVar("A")
B = TypeVar("B")
Player = Callable[[Ask], Reply]
Events = list[dict[str, Any]]

SEED = "5" * 64
BOT = seal.files_hash({"bot.py": b""})


def answer(appended: str, output: str = "") -> Answer:
    """What a bot in the *file* protocol says."""
    return Answer({"output": output.encode(), "appended": appended.encode()})


def at_random(rng: random.Random) -> Player:
    """A player that gives any legal answer to any game's ask."""

    def play(ask: Ask) -> Reply:
        kept = ""
        if ask.name == "exchange":
            cards = ask.observation.args[2]
            kept = "".join(rng.sample(cards, len(cards) - 2))
        return answer(rng.choice(ask.legal), kept)

    return play


def scripted(*answers: str) -> Player:
    """A player that gives these answers in turn; ``\\n:~$`` also writes ``~$`` on its output."""
    queue = list(answers)

    def play(ask: Ask) -> Reply:
        appended, _, output = queue.pop(0).partition(":")
        return answer(appended, output)

    return play


def converse(rules: Generator[list[A], list[B], None], answer: Callable[[A], B]) -> list[A]:
    """Drive rules to their end, answering one by one; everything that they asked, in order."""
    everything: list[A] = []

    def answer_all(asked: list[A]) -> list[B]:
        everything.extend(asked)
        return [answer(one) for one in asked]

    table.converse(rules, answer_all)
    return everything


def match_events(
    player: Player, seed: str = SEED, game: str = "coup", players: int = 2, **settings: int
) -> Events:
    """The events of a match in which ``player`` answers for every seat; no seal."""
    card = registry.card(game)
    model = card.settings(settings)
    names = [f"player{seat}" for seat in range(players)]
    events: Events = [
        {
            "type": "match_started",
            "format": FORMAT,
            "game": game,
            "rules": card.rules,
            "tournament": seal.tournament_id(seal.commitment(seed)),
            "match": "1-000000",
            "players": [{"seat": n, "name": name, "bot": BOT} for n, name in enumerate(names)],
            "settings": model.model_dump(),
            "seed_commitment": seal.commitment(seed),
        }
    ]
    table = MatchTable(names, model, Dice(seed), lambda event, clause: events.append(dict(event)))
    converse(card.current.match_rules()(table), player)
    return events


def sealed(events: Sequence[Event], seed: str = SEED) -> bytes:
    """The bytes of a log of ``events``, with a fresh seal (one that is there is replaced)."""
    unsealed = [event for event in events if event["type"] not in SEALS]
    kind = str(unsealed[0]["type"]).removesuffix("_started")
    data = b"".join(line(seq, event) for seq, event in enumerate(unsealed))
    digest = seal.hex_digest(data)
    end = {"type": f"{kind}_sealed", "seed": seed, "events": len(unsealed), "sha256": digest}
    return data + line(len(unsealed), end)


def loads(data: bytes) -> Events:
    """The events of a log, without ``seq``, unchecked."""
    events = [orjson.loads(text) for text in data.splitlines()]
    for event in events:
        del event["seq"]
    return events


def write(path: Path, events: Sequence[Event], seed: str = SEED) -> Path:
    """A sealed log of ``events`` at ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(sealed(events, seed))
    return path
