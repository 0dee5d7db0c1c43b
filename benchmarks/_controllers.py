"""A plain controller loop: the least that plays a tournament of scripts.

A cold process per decision by ``subprocess.run``, no log, no isolation, no evidence, no scratch
folders; one folder for everything. The rules are the game's own, so that the same decisions are
asked for in the same order; what they emit is dropped.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

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
    TournamentTable,
    drive_rules,
)
from referee.bot import Bot
from referee.processes.environment import environment
from schema import seal
from schema.canonical import Event
from schema.dice import Dice
from schema.registry import Card


def play(card: Card, bots: Sequence[Bot], settings: BaseModel, seed: str, folder: Path) -> int:
    """Play a tournament in ``folder``. Returns how many decisions there were."""
    asked = 0

    def play_all(schedule: Schedule) -> Played:
        nonlocal asked
        played: Played = []
        for one in schedule.matches:
            seated = [bots[entrant] for entrant in one.seats]
            result, decisions = match(card, seated, settings, seed, one, folder)
            asked += decisions
            played.append((one, result))
        return played

    for bot in bots:
        bot.install(folder)
    names = [bot.name for bot in bots]
    table = TournamentTable(names, settings, Dice(seed), lambda event, clause: None)
    drive_rules(card.current.tournament_rules()(table), play_all)
    return asked


def match(
    card: Card, bots: Sequence[Bot], settings: BaseModel, seed: str, one: Match, folder: Path
) -> tuple[Result, int]:
    """Play one match. Returns how it ended, and how many decisions there were."""
    match_seed = seal.match_seed(seed, one.id)
    decisions: Counter[int] = Counter()
    end: Mapping[str, Any] = {}

    def record(event: Event, clause: str) -> None:
        nonlocal end
        if event["type"] == "match_finished":
            end = event

    def answer(asks: Any) -> list[Reply]:
        return [put(ask) for ask in asks]

    def put(ask: Ask) -> Reply:
        bot_seed = seal.bot_seed(match_seed, ask.seat, decisions[ask.seat])
        decisions[ask.seat] += 1
        return decide(bots[ask.seat], ask, environment(bot_seed), folder)

    names = [bot.name for bot in bots]
    table = MatchTable(names, settings, Dice(match_seed), record)
    drive_rules(card.current.match_rules()(table), answer)
    result = Result(end["reason"], tuple(end["scores"]), tuple(end["winners"]), (), "")
    return result, decisions.total()


def decide(bot: Bot, ask: Ask, variables: Mapping[str, str], folder: Path) -> Answer:
    """One decision by a fresh process."""
    history = folder / "history.txt"
    arguments = list(ask.observation.args)
    if isinstance(ask.observation, FileCall):
        history.write_text(ask.observation.history)
        arguments.insert(0, str(history))
    ran = subprocess.run(
        [*bot.command, *arguments], cwd=folder, env=variables, capture_output=True, check=True
    )
    raw = {"output": ran.stdout}
    if isinstance(ask.observation, FileCall):
        raw["appended"] = history.read_bytes()[len(ask.observation.history.encode()) :]
    return Answer(raw)
