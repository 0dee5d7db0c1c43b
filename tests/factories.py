"""Logs for the tests: matches played by callables, and logs changed and sealed again."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import orjson

from games import driving
from games.bank_heist.events import Action
from games.table import (
    Answer,
    ArgvCall,
    Ask,
    JointAsk,
    Match,
    MatchTable,
    Result,
    Schedule,
    TournamentTable,
    reply_with_choices,
)
from schema import registry, seal
from schema.canonical import Event, line
from schema.dice import Dice
from schema.events import FORMAT
from schema.scan import SEALS

Player = Callable[[Any], Any]
"""Answers an ask with a reply; a joint ask with the choices, or with replies by seat."""
Events = list[dict[str, Any]]

SEED = "5" * 64
BOT = seal.bot_hash({"bot.py": b""})


def answer(appended: str, output: str = "") -> Answer:
    """Return the answer of a bot in the *file* protocol."""
    return Answer({"output": output.encode(), "appended": appended.encode()})


def printed(text: str | bytes) -> Answer:
    """Return the answer of a bot in the *argv* protocol."""
    return Answer({"output": text.encode() if isinstance(text, str) else text})


HEISTS = get_args(Action)


def at_random(rng: random.Random, seats: int = 10) -> Player:
    """A player that gives any legal answer to any game's ask; ``seats`` is for joint ones."""

    def play(ask: Ask | JointAsk) -> Any:
        if isinstance(ask, JointAsk):
            return [rng.randint(1, 10) for _ in range(seats)] if ask.legal else None
        if ask.name == "bet":
            most = int(ask.args[8])
            return printed(str(rng.choice([0, 1, 69, rng.randint(0, most), most])))
        if ask.name == "action":
            return printed(rng.choice(HEISTS))
        if isinstance(ask.observation, ArgvCall):
            return printed("".join(rng.choices("N123ABCXYZFURT", k=3)))
        kept = ""
        if ask.name == "exchange":
            cards = ask.args[2]
            kept = "".join(rng.sample(cards, len(cards) - 2))
        return answer(rng.choice(ask.legal), kept)

    return play


def scripted(*answers: str) -> Player:
    """A player that gives these answers in turn; ``\\n:~$`` also writes ``~$`` on its output."""
    queue = list(answers)

    def play(ask: Ask) -> Answer:
        appended, _, output = queue.pop(0).partition(":")
        return answer(appended, output)

    return play


def drive_rules(rules: Generator[Any, Any, None], answer: Callable[[Any], Any]) -> list[Any]:
    """Drive rules to their end, answering one by one; everything that they asked, in order."""
    everything: list[Any] = []

    def answer_one(asked: Any) -> Any:
        everything.append(asked)
        return answer(asked)

    def answer_all(asked: Any) -> Any:
        if isinstance(asked, JointAsk):
            return answer_one(asked)
        if isinstance(asked, Schedule):
            return list(play_all(asked, answer_one))
        return [answer_one(one) for one in asked]

    driving.drive_rules(rules, answer_all)
    return everything


def play_all(schedule: Schedule, play: Callable[[Match], Result]) -> Iterator[tuple[Match, Result]]:
    """The matches of a schedule with their results, to the end or to the first fault."""
    for match in schedule.matches:
        result = play(match)
        yield match, result
        if schedule.until_fault and result.faults:
            return


def match_events(
    player: Player,
    seed: str = SEED,
    game: str = "coup",
    players: int = 2,
    **settings: Any,
) -> Events:
    """The events of a match in which ``player`` answers for every seat; no seal.

    ``game`` is the name of a game, or of one of its rules versions, such as ``coup/1``.
    """
    card = registry.card(game.partition("/")[0])
    version = card.versions.get(game, card.current)
    model = version.settings_model()(**settings)
    names = [f"player{seat}" for seat in range(players)]
    events: Events = [
        {
            "type": "match_started",
            "format": FORMAT,
            "game": card.name,
            "rules": version.name,
            "tournament": seal.tournament_id(seal.commitment(seed)),
            "match": "1-000000",
            "players": [{"seat": n, "name": name, "bot": BOT} for n, name in enumerate(names)],
            "settings": model.model_dump(),
            "seed_commitment": seal.commitment(seed),
        }
    ]
    table = MatchTable(names, model, Dice(seed), lambda event, clause: events.append(dict(event)))
    drive_rules(version.match_rules()(table), as_referee(player, players))
    return events


def as_referee(player: Player, seats: int) -> Player:
    """A player whose joint choices reach the rules in the form in which a referee sends them."""

    def play(ask: Ask | JointAsk) -> Any:
        reply = player(ask)
        if isinstance(ask, JointAsk) and isinstance(reply, list):
            return reply_with_choices(ask, reply, seats)
        return reply

    return play


def tournament_events(
    result: Callable[[Match], Result],
    names: Sequence[str],
    seed: str = SEED,
    game: str = "coup",
    pairings: Sequence[tuple[int, int]] | None = None,
    **settings: Any,
) -> Events:
    """The events of a tournament whose matches end as ``result`` says; no seal.

    ``game`` is the name of a game, or of one of its rules versions, such as ``coup/1``. Without
    ``pairings`` all entrants play each other.
    """
    card = registry.card(game.partition("/")[0])
    version = card.versions.get(game, card.current)
    model = version.settings_model()(**settings)
    events: Events = [
        {
            "type": "tournament_started",
            "format": FORMAT,
            "game": card.name,
            "rules": version.name,
            "tournament": seal.tournament_id(seal.commitment(seed)),
            "entrants": [{"entrant": n, "name": name, "bot": BOT} for n, name in enumerate(names)],
            "settings": model.model_dump(),
            **({} if pairings is None else {"pairings": [list(pair) for pair in pairings]}),
            "seed_commitment": seal.commitment(seed),
        }
    ]
    table = TournamentTable(
        names, model, Dice(seed), lambda event, clause: events.append(dict(event)), pairings
    )
    drive_rules(version.tournament_rules()(table), result)
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
