"""Small bots for the tests, and matches and tournaments between them."""

from __future__ import annotations

import os
import resource
import signal
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson

from games.table import Result
from referee import match, tournament
from referee.bot import Bot
from referee.match import MatchJob
from referee.outcome import Outcome
from referee.pools import pool
from referee.protocols.base import Seating
from referee.roster.resolve import resolve
from schema import registry, seal
from schema.card import Card
from schema.executor import Mapper, serial
from tests.factories import SEED, Events, loads

CARD = registry.card("coup")
COINS = registry.card("coins")
HEIST = registry.card("bank_heist")
UNIQUE = registry.card("smallest_unique")
PATIENCE = 20.0
"""Seconds that a test may take; a longer match hangs."""

COUNTER = """
import heapq
class Counter:
    def __init__(self, index):
        heapq.__all__.append("")
        self.number = heapq.__all__.count("") % 10 or 10
    def select(self):
        return self.number
    def update(self, choices):
        self.number = 10
"""
"""A class bot whose first choice is the number of matches it has seen."""

FIRST = 'f=$1; shift 4; legal=$1\nact() { printf %s "$legal" >>"$f"; }\n'
"""Start of a shell bot: ``act`` appends the first legal action."""

LATER = FIRST + '[ -s "$f" ] || { act; exit; }\n'
"""Start of a shell bot that behaves while the history is empty."""


def start(command: Sequence[str], home: Path, bot_seed: str, time_limit: float) -> Outcome:
    """Run a command once, without a sandbox."""
    with pool.lent(Bot("", (), ()), cold=True) as server:
        outcome = server.run_command(home, bot_seed, command, time_limit)
    assert outcome is not None
    return outcome


def run_warm(
    bot: Bot, home: Path, bot_seed: str, arguments: Sequence[str], time_limit: float
) -> Outcome | None:
    """Run a bot's script once in its fork server; return None if it must run as a command."""
    with pool.lent(bot, cold=False) as server:
        if not server.script:
            return None
        return server.run_script(home, bot_seed, arguments, time_limit)


def script(folder: Path, name: str, body: str) -> Path:
    """Return a bot of one file; ``name`` ends in .sh or .py."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(body + "\n")
    return path


def bot(folder: Path, name: str, body: str, card: Card = CARD) -> Bot:
    """Return that bot, ready to play."""
    [found] = resolve([str(script(folder, name, body))], card)
    return found


def honest(folder: Path, name: str = "honest.sh") -> Bot:
    """Return a bot that always takes the first legal action."""
    return bot(folder, name, FIRST + "act")


def class_source(
    select: str = "return 1",
    update: str = "pass",
    init: str = "pass",
    head: str = "import os, sys, time",
    name: str = "Bot",
) -> str:
    """Return the source of a class bot for Smallest Unique Number, from its methods' bodies."""
    methods = (
        ("__init__(self, index)", f"self.index, self.round = index, 0\n{init}"),
        ("select(self)", f"self.round += 1\n{select}"),
        ("update(self, choices)", update),
    )
    lines = [head, f"class {name}:"]
    for signature, body in methods:
        lines += [f"    def {signature}:", textwrap.indent(body, " " * 8)]
    return "\n".join(lines)


def class_bot(folder: Path, name: str, **bodies: str) -> Bot:
    """Return that bot, ready to play; ``bodies`` are those of :func:`class_source`."""
    return bot(folder, f"{name}.py", class_source(**bodies), UNIQUE)


@dataclass(frozen=True)
class Played:
    """A match that was played: its events, its evidence and its result."""

    log: Path
    events: Events
    evidence: list[dict[str, Any]]
    result: Result

    @property
    def outputs(self) -> list[str]:
        """Return the standard output of seat 0, one text per call."""
        said = [e for e in self.events if e["type"] in ("answered", "fault") and e["seat"] == 0]
        return [event["output"] for event in said]

    @property
    def faults(self) -> Events:
        """Return all faults of the match."""
        return [event for event in self.events if event["type"] == "fault"]

    @property
    def fault(self) -> dict[str, Any]:
        """Return the only fault of the match."""
        [fault] = self.faults
        return fault


def job(folder: Path, bots: Sequence[Bot], card: Card = CARD, **settings: int) -> MatchJob:
    """Return a match of ``bots``, by seat, that is written to ``folder``."""
    return MatchJob(
        game=card.name,
        rules=card.rules,
        tournament=seal.tournament_id(seal.commitment(SEED)),
        match="1-000000",
        bots=tuple(bots),
        settings=card.settings(settings).model_dump(),
        seed=SEED,
        log=folder / "log.jsonl",
        evidence=folder / "evidence" / "log.jsonl",
        isolation="process",
    )


@contextmanager
def patience() -> Iterator[None]:
    """Raise AssertionError if the block takes longer than ``PATIENCE``."""

    def give_up(number: int, frame: object) -> None:
        raise AssertionError(f"still not done after {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def short_decisions(share: float) -> Iterator[None]:
    """Limit the block's decisions to this share of their time limit; logs do not show it.

    For bots that are too slow: settings have no limit below a second.
    """

    def seating(
        bots: Sequence[Bot], seed: str, scratch: str, time_limit: float, cold: bool, isolation: str
    ) -> Seating:
        return Seating(bots, seed, scratch, time_limit * share, cold, isolation)

    with patch.object(match, "Seating", seating):
        yield


@contextmanager
def few_files(spare: int) -> Iterator[None]:
    """Let this process open at most ``spare`` more files in this block."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = set(map(int, os.listdir("/proc/self/fd")))  # noqa: PTH208
    free = (number for number in count() if number not in used)
    resource.setrlimit(resource.RLIMIT_NOFILE, (next(islice(free, spare, None)), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def play(folder: Path, *bots: Bot, card: Card = CARD, **settings: int) -> Played:
    """Play one match; raise AssertionError if it hangs."""
    folder.mkdir(parents=True, exist_ok=True)
    one = job(folder, bots, card, **settings)
    with patience():
        result = match.play(one)
    return read(one.log, one.evidence, result)


def read(log: Path, evidence: Path, result: Result) -> Played:
    """Read a match from its files."""
    notes = [orjson.loads(line) for line in evidence.read_bytes().splitlines()]
    return Played(log, loads(log.read_bytes()), notes, result)


def hold(
    folder: Path,
    bots: Sequence[Bot],
    each: Mapper = serial,
    card: Card = CARD,
    seed: str = SEED,
    **settings: int,
) -> list[dict[str, Any]]:
    """Play a tournament into ``folder``, of one round if it is Coup; return the final table."""
    model = card.settings(({"rounds": 1} if card is CARD else {}) | settings)
    planned = tournament.plan(card, bots, model, seed, None, folder, "process")
    with patience():
        standings = tournament.play(planned, each, lambda done, total: None).standings
    return [dict(standing) for standing in standings]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of a tournament's log and of its matches' logs, by path."""
    logs = [folder / "tournament.jsonl", *(folder / "matches").iterdir()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(logs)}
