"""Matches that differ in what one seat cannot see: hidden cards, dice, bytes without effect."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.table import Answer, Ask, Fault, FileCall, JointAsk, Reply, replies_by_seat
from schema import seal
from tests.factories import (
    Events,
    Player,
    answer,
    at_random,
    match_events,
    printed,
    sealed,
)
from tests.replay.log_factory import hex_seed
from tests.sampling import FACTOR

SEAT = 1
"""The seat whose view is taken."""

GAMES: dict[str, dict[str, int]] = {
    "coup": {"players": 2, "max_calls": 9},
    "coins": {"players": 2, "rounds": 3},
    "bank_heist": {"players": 3, "games_min": 2, "games_max": 2, "rabble": 0},
    "smallest_unique": {"players": 3, "seats": 3, "rounds": 4},
}
"""The games, with settings for short matches."""

HABITS = 8
"""Number of ways in which the bots play."""

SPACE = ["", " ", "\n", " \t\n"]

ACCOUNTS = ["deposit", "acquire intel"]
"""Actions of Bank Heist with equal effect on the credits, which alone others see."""

Said = dict[str, str] | str
"""The text of an answer by channel, or the kind of a fault."""


@dataclass(frozen=True)
class Played:
    """A match, and what the seat was asked and said, as noted while it was played."""

    events: Events
    seed: str
    known: Sequence[tuple[str, object, Said | None]]
    """Name of the question, observation, and answer or kind of fault."""

    @property
    def data(self) -> bytes:
        """The bytes of the log."""
        return sealed(self.events, self.seed)


def played(game: str, habit: int, number: int) -> Played:
    """Return a match: its bots' habits by ``habit``, dice and hidden choices by ``number``."""
    settings = dict(GAMES[game])
    seats = settings.pop("players")
    hidden = random.Random(number)
    known: list[tuple[str, object, Reply | None]] = []
    seed = hex_seed(0x5EED0000 + number % 40)

    def play(ask: Ask | JointAsk) -> Any:
        reply = _habitual(ask, habit, seats)
        if isinstance(ask, JointAsk):
            reply = _failed(ask, reply, habit, hidden)
            by_seat = replies_by_seat(reply)
            if SEAT in by_seat or not ask.legal:
                known.append((ask.name, ask.observation.choices, by_seat.get(SEAT)))
        elif ask.seat == SEAT:
            if random.Random(f"{habit} fault {ask.observation}").random() < 0.1:
                reply = Fault("crash")
            known.append((ask.name, ask.observation._asdict(), reply))
        else:
            reply = _disguised(game, ask, reply, hidden)
        return reply

    events = match_events(_copying(play), seed, game, seats, **settings)
    for player in events[0]["players"]:
        player["bot"] = seal.bot_hash({"bot.py": f"{number} {player['seat']}".encode()})
    return Played(events, seed, [(name, seen, _said(reply)) for name, seen, reply in known])


def _copying(play: Player) -> Player:
    """Return a player that keeps no list that the rules change later."""
    return lambda ask: play(ask.copy() if isinstance(ask, JointAsk) else ask)


def _habitual(ask: Ask | JointAsk, habit: int, seats: int) -> Any:
    """Return a legal answer that depends on nothing but the public part of the question."""
    seen = ask.observation
    public = seen.history if isinstance(seen, FileCall) and not _is_own(ask) else seen
    rng = random.Random(f"{habit} {public}")
    if ask.name == "turn" and not isinstance(seen, FileCall) and rng.random() < 0.4:
        return printed("NNN")
    return at_random(rng, seats)(ask)


def _is_own(ask: Ask | JointAsk) -> bool:
    return isinstance(ask, Ask) and ask.seat == SEAT


def _failed(ask: JointAsk, reply: Any, habit: int, hidden: random.Random) -> Any:
    """Return the replies to a joint question; with some habits seat 0 fails in one way or other."""
    if habit % 2 or not ask.legal or ask.observation.choices is None:
        return reply
    kinds = [Fault(kind, during="select") for kind in ("crash", "timeout")]
    failures = [*kinds, printed("eleven"), printed(b"\xff")]
    others = {seat: printed(str(choice)) for seat, choice in enumerate(reply)}
    return {**others, 0: hidden.choice(failures)}


def _disguised(game: str, ask: Ask, reply: Answer, hidden: random.Random) -> Reply:
    """Return another reply, with the same effect on what the seat sees; hidden dice may differ."""
    text = reply.raw["output"].decode()
    if game == "coup":
        kept = text
        if ask.name == "exchange":
            cards = ask.args[2]
            kept = "".join(hidden.sample(cards, len(cards) - 2))
        return answer(reply.raw["appended"].decode(), kept or f"thought {hidden.random()}")
    if text in ACCOUNTS:
        text = hidden.choice(ACCOUNTS)
    idle = {"coins": "NNN", "bank_heist": "0" if ask.name == "bet" else "carry on"}[game]
    if text == idle and hidden.random() < 0.5:
        return Fault(hidden.choice(["crash", "timeout"]))
    if text == "carry on":
        return printed(f"secret {hidden.random()}")
    zeros = hidden.choice(["", "000"]) if ask.name == "bet" else ""
    return printed(hidden.choice(SPACE) + zeros + text + hidden.choice(SPACE))


def _said(reply: Reply | None) -> Said | None:
    if reply is None or isinstance(reply, Fault):
        return None if reply is None else reply.kind
    return {channel: raw.decode() for channel, raw in reply.raw.items()}


@cache
def alike(game: str) -> Sequence[Sequence[Played]]:
    """Return groups of matches that differ, but not in what the seat knows or in the result."""
    groups = defaultdict(list)
    for habit in range(HABITS):
        for number in range(80 * FACTOR):
            match = played(game, habit, number)
            groups[repr((match.known, match.events[-1]))].append(match)
    differing = [group for group in groups.values() if len({match.data for match in group}) > 1]
    return differing[:: len(differing) // (100 * FACTOR) + 1]
