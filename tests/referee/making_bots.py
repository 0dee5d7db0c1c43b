"""Tiny bots for the tests, as scripts, and matches and tournaments between them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from games.table import Result
from referee import match, tournament
from referee.bots import Bot
from referee.match import MatchJob
from referee.roster import resolve
from schema import registry, seal
from schema.mapper import Mapper
from tests.making import SEED, Events, loads

CARD = registry.card("coup")
PATIENCE = 20.0
"""Seconds that no match of these tests takes, on whatever machine, unless something hangs."""

FIRST = 'f=$1; shift 4; legal=$1\nact() { printf %s "$legal" >>"$f"; }\n'
"""The beginning of a shell bot: ``act`` appends the first legal action."""

LATER = FIRST + '[ -s "$f" ] || { act; exit; }\n'
"""The beginning of a shell bot that behaves while the history is empty."""


def script(folder: Path, name: str, body: str) -> Path:
    """A bot in a file; ``name`` ends in .sh or .py."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(body + "\n")
    return path


def bot(folder: Path, name: str, body: str) -> Bot:
    """That bot, ready to play."""
    [found] = resolve([str(script(folder, name, body))], CARD)
    return found


def honest(folder: Path, name: str = "honest.sh") -> Bot:
    """A bot that always takes the first legal action."""
    return bot(folder, name, FIRST + "act")


@dataclass(frozen=True)
class Played:
    """A match that was played: its events, its evidence, and how it ended."""

    log: Path
    events: Events
    evidence: list[dict[str, Any]]
    result: Result

    @property
    def outputs(self) -> list[str]:
        """What seat 0 wrote to standard output, call by call."""
        said = [e for e in self.events if e["type"] in ("answered", "fault") and e["seat"] == 0]
        return [event["output"] for event in said]

    @property
    def fault(self) -> dict[str, Any]:
        """The fault of the match."""
        [fault] = [event for event in self.events if event["type"] == "fault"]
        return fault


def job(folder: Path, bots: Sequence[Bot], **settings: int) -> MatchJob:
    """A match of ``bots``, by seat, into ``folder``."""
    return MatchJob(
        game="coup",
        tournament=seal.tournament_id(seal.commitment(SEED)),
        match="1-000000",
        bots=tuple(bots),
        settings=CARD.settings(settings).model_dump(),
        seed=SEED,
        log=folder / "log.jsonl",
        evidence=folder / "evidence" / "log.jsonl",
        isolation="process",
    )


def play(folder: Path, *bots: Bot, **settings: int) -> Played:
    """Play one match; it must not hang."""
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    one = job(folder, bots, **settings)
    result = match.play(one)
    assert time.monotonic() - begun < PATIENCE
    return read(one.log, one.evidence, result)


def read(log: Path, evidence: Path, result: Result) -> Played:
    """A match out of its files."""
    notes = [orjson.loads(line) for line in evidence.read_bytes().splitlines()]
    return Played(log, loads(log.read_bytes()), notes, result)


def hold(
    folder: Path, bots: Sequence[Bot], each: Mapper = map, **settings: int
) -> list[dict[str, Any]]:
    """Hold a tournament of one round into ``folder``, and return the final table."""
    model = CARD.settings({"rounds": 1} | settings)
    planned = tournament.plan(CARD, bots, model, SEED, None, folder, "process")
    begun = time.monotonic()
    standings = tournament.play(planned, each, lambda done, total: None)
    assert time.monotonic() - begun < PATIENCE
    return [dict(standing) for standing in standings]


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of a tournament's own log and of its matches, by path."""
    logs = [folder / "tournament.jsonl", *(folder / "matches").iterdir()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(logs)}
