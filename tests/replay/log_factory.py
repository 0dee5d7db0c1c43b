"""Matches and whole tournaments by callables, as logs on disk, and verdicts on changed ones."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from games.table import Ask, Fault, Reply, Result, TournamentTable
from replay.log_verdict import LogVerdict
from replay.verify import verify, verify_all
from schema import registry, seal
from schema.canonical import Event
from schema.dice import Dice
from schema.discovery import logs
from schema.events import FORMAT
from schema.reader import Log, parse
from tests.factories import (
    BOT,
    SEED,
    Events,
    Player,
    answer,
    at_random,
    drive_rules,
    match_events,
    sealed,
    write,
)

NOWHERE = Path("log.jsonl")


def hex_seed(number: int) -> str:
    """A seed for each number."""
    return f"{number:064x}"


def random_match(number: int, **settings: int) -> Events:
    """The events of one of many matches; its seed is ``hex_seed(number)``."""
    return match_events(at_random(random.Random(number)), hex_seed(number), "coup", 2, **settings)


SHORT = 848
"""The number of a random match with every kind of Coup's events, in 21 lines."""


def short() -> Events:
    """The events of the match with the number SHORT."""
    return random_match(SHORT)


def with_seq(events: Events) -> Events:
    """The events as they are shown."""
    return [{"seq": seq} | event for seq, event in enumerate(events)]


def log_of(events: Sequence[Event], seed: str = SEED) -> Log:
    """``events``, sealed and read."""
    return parse(sealed(events, seed), NOWHERE)


def verdict_on(path: Path, data: bytes) -> LogVerdict:
    """The verdict on a log of these bytes, written to ``path``."""
    path.write_bytes(data)
    return verify(path)


def findings(folder: Path) -> dict[str, LogVerdict]:
    """The verdicts on all logs below a folder that are not fine, by file name."""
    return {Path(one.path).name: one for one in verify_all(logs([folder])) if not one.fine}


def at_call(number: int, reply: Reply, otherwise: Player) -> Player:
    """A player that gives ``reply`` at its call ``number`` (from 0), else what another says."""
    calls: Counter[None] = Counter()

    def play(ask: Ask) -> Reply:
        calls[None] += 1
        return reply if calls[None] == number + 1 else otherwise(ask)

    return play


def illegal_match(number: int = SHORT) -> Events:
    """A match whose third call forfeits it with an illegal answer."""
    player = at_call(2, answer("x"), at_random(random.Random(number)))
    return match_events(player, hex_seed(number))


def crash_match(number: int = SHORT) -> Events:
    """A match whose third call forfeits it by a crash."""
    crash = Fault("crash", {"output": b"", "appended": b"I\n"})
    return match_events(at_call(2, crash, at_random(random.Random(number))), hex_seed(number))


def kinds(events: Sequence[Event]) -> list[object]:
    """The types of ``events``."""
    return [event["type"] for event in events]


@cache
def _tournament(seed: str, entrants: int, rounds: int) -> tuple[Events, dict[str, bytes]]:
    card = registry.card("coup")
    settings = card.settings({"rounds": rounds})
    people = [{"name": f"bot{number}", "bot": BOT} for number in range(entrants)]
    start = {
        "type": "tournament_started",
        "format": FORMAT,
        "game": "coup",
        "rules": card.rules,
        "tournament": "spring",
        "entrants": [{"entrant": number} | who for number, who in enumerate(people)],
        "settings": settings.model_dump(),
        "seed_commitment": seal.commitment(seed),
    }
    events: Events = [start]
    matches: dict[str, bytes] = {}

    def played(match_id: str, seats: Sequence[int]) -> Result:
        one_seed = seal.match_seed(seed, match_id)
        chance = random.Random(one_seed)
        player = at_random(chance)
        if chance.random() < 0.2:
            player = at_call(1, Fault("timeout"), player)
        match = match_events(player, one_seed, rounds=rounds)
        match[0] |= {
            "tournament": "spring",
            "match": match_id,
            "players": [{"seat": n} | people[one] for n, one in enumerate(seats)],
        }
        matches[f"{match_id}.jsonl"] = data = sealed(match, one_seed)
        faults = [(one["seat"], one["kind"]) for one in match if one["type"] == "fault"]
        end: dict[str, Any] = match[-1]
        digest = log_of(match, one_seed).seal["sha256"]
        assert data.endswith(f'"sha256":"{digest}"}}\n'.encode())
        return Result(
            end["reason"], tuple(end["scores"]), tuple(end["winners"]), tuple(faults), digest
        )

    names = [who["name"] for who in people]
    record = lambda event, clause: events.append(dict(event))  # noqa: E731
    table = TournamentTable(names, settings, Dice(seed), record)
    rules = card.current.tournament_rules()(table)
    drive_rules(rules, lambda one: played(one.id, one.seats))
    return events, matches


def tournament_events(seed: str = SEED, entrants: int = 3, rounds: int = 2) -> Events:
    """The events of a tournament of random players, some of which are too slow; no seal."""
    return [dict(event) for event in _tournament(seed, entrants, rounds)[0]]


def tournament_folder(
    folder: Path, seed: str = SEED, entrants: int = 3, rounds: int = 2
) -> list[Path]:
    """That tournament as a folder; its logs in the order in which they are verified."""
    write(folder / "tournament.jsonl", tournament_events(seed, entrants, rounds), seed)
    (folder / "matches").mkdir()
    for name, data in _tournament(seed, entrants, rounds)[1].items():
        (folder / "matches" / name).write_bytes(data)
    return [*sorted((folder / "matches").iterdir()), folder / "tournament.jsonl"]
