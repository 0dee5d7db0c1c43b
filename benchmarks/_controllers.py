"""A plain controller loop: the shortest program that plays a tournament of scripts.

It starts a process per decision with ``subprocess.run``, in one folder, and has no log, isolation
or evidence. It runs the game's own rules, so that bots get the same questions in the same order; it
drops the events. :class:`Rivals` lets Koth play the same tournament.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from games.driving import drive_rules
from games.table import (
    Answer,
    Ask,
    FileCall,
    Match,
    MatchTable,
    Played,
    Reply,
    Result,
    Schedule,
    StreamCall,
    TournamentTable,
)
from referee import tournament
from referee.bot import Bot
from referee.environment import environment
from schema import seal
from schema.canonical import Event
from schema.card import Card
from schema.dice import Dice
from schema.executor import Mapper, serial

SEED = "5" * 64

UNPROVEN = b"\nimport time\n"
"""Code that takes from a script the proof that its decisions may share a process."""


@dataclass
class Rivals:
    """Koth and the plain loop, which play the same tournament in new folders of ``place``."""

    card: Card
    bots: Sequence[Bot]
    settings: BaseModel
    place: Path
    decisions: int = 0
    """Number of decisions of the tournament, once the plain loop has played it."""
    _numbers: count[int] = field(default_factory=count)

    def koth(self, isolation: str = "process", mapper: Mapper = serial, cold: bool = False) -> None:
        """Play it in Koth, with logs."""
        planned = tournament.plan(
            self.card, self.bots, self.settings, SEED, None, self._folder(), isolation, cold
        )
        tournament.play(planned, mapper, lambda done, total: None)

    def plain(self) -> None:
        """Play it in the plain loop."""
        self.decisions = play(self.card, self.bots, self.settings, SEED, self._folder())

    def _folder(self) -> Path:
        return self.place / str(next(self._numbers))


def play(card: Card, bots: Sequence[Bot], settings: BaseModel, seed: str, folder: Path) -> int:
    """Play a tournament in ``folder``; return the number of decisions."""
    total = 0

    def play_all(schedule: Schedule) -> Played:
        nonlocal total
        played: Played = []
        for planned in schedule.matches:
            players = [bots[entrant] for entrant in planned.seats]
            result, decisions = match(card, players, settings, seed, planned, folder)
            total += decisions
            played.append((planned, result))
        return played

    for bot in bots:
        bot.install(folder)
    names = [bot.name for bot in bots]
    table = TournamentTable(names, settings, Dice(seed), lambda event, clause: None)
    drive_rules(card.current.tournament_rules()(table), play_all)
    return total


def match(
    card: Card, bots: Sequence[Bot], settings: BaseModel, seed: str, planned: Match, folder: Path
) -> tuple[Result, int]:
    """Play one match; return its result and the number of decisions."""
    match_seed = seal.match_seed(seed, planned.id, planned.dice)
    decisions: Counter[int] = Counter()
    end: Mapping[str, Any] = {}

    def record(event: Event, clause: str) -> None:
        nonlocal end
        if event["type"] == "match_finished":
            end = event

    def answer(asks: Any) -> list[Reply]:
        return [ask_bot(ask) for ask in asks]

    def ask_bot(ask: Ask) -> Reply:
        bot_seed = seal.bot_seed(match_seed, ask.seat, decisions[ask.seat])
        decisions[ask.seat] += 1
        return decide(bots[ask.seat], ask, environment(bot_seed), folder)

    names = [bot.name for bot in bots]
    table = MatchTable(names, settings, Dice(match_seed), record)
    drive_rules(card.current.match_rules()(table), answer)
    result = Result(end["reason"], tuple(end["scores"]), tuple(end["winners"]), (), "")
    return result, decisions.total()


def decide(bot: Bot, ask: Ask, variables: Mapping[str, str], folder: Path) -> Answer:
    """Return the answer of a new process to one question."""
    history = folder / "history.txt"
    assert not isinstance(ask.observation, StreamCall)
    arguments = list(ask.args)
    if isinstance(ask.observation, FileCall):
        history.write_text(ask.observation.history)
        arguments.insert(0, str(history))
    process = subprocess.run(
        [*bot.command, *arguments], cwd=folder, env=variables, capture_output=True, check=True
    )
    raw = {"output": process.stdout}
    if isinstance(ask.observation, FileCall):
        raw["appended"] = history.read_bytes()[len(ask.observation.history.encode()) :]
    return Answer(raw)


def without_proof(bot: Bot) -> Bot:
    """Return a bot that plays alike, and has a fork for each decision."""
    [(name, file)] = bot.files
    return replace(bot, files=((name, replace(file, content=file.content + UNPROVEN)),))
