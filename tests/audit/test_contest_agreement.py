"""Replay and audit, written independently, agree on the logs of contests."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from audit.run_rules import audit
from audit.tables import open_database
from games.contest import Contest, ContestError, chain_seed
from replay.verify import verify_all
from schema import registry
from schema.discovery import CONTEST
from schema.events import FORMAT
from tests import contests
from tests.contests import Events
from tests.factories import SEED

LOGS = 150
SEEDS = 6


def started(game: str, seeds: int) -> dict[str, Any]:
    """The first event of a contest that has seeds for this many stages."""
    card = registry.card(game)
    return {
        "type": "contest_started",
        "format": FORMAT,
        "game": game,
        "rules": card.rules,
        "contest": "cup",
        "settings": card.settings({}).model_dump(),
        "plays": card.plays,
        "stages": seeds,
        "seed_commitment": chain_seed(SEED, SEEDS, 0),
    }


def next_event(events: Events, chance: random.Random) -> dict[str, Any]:
    """An event that may follow: mostly a stage with the next number, or another version."""
    stages = [event for event in events if "stage" in event]
    ended = sum(event["type"] == "stage_finished" for event in stages)
    running = bool(stages) and stages[-1]["type"] == "stage_started"
    number = min(ended + 1, SEEDS) if chance.random() < 0.95 else chance.randrange(1, SEEDS)
    match chance.choice(("entered", "revised", "withdrawn", "stage", "stage", "stage")):
        case "stage" if running != (chance.random() < 0.05):
            seed = chain_seed(SEED, SEEDS, number)
            end = {"type": "stage_finished", "stage": number, "seed": seed}
            return end | {"files": 3, "root": "a" * 64}
        case "stage":
            return {"type": "stage_started", "stage": number}
        case kind:
            event = {"type": kind, "name": chance.choice(("anna", "bert", "cleo", "Anna"))}
            bot = chance.choice("abc") * 12 + chance.choice("aab") * 52
            return event if kind == "withdrawn" else event | {"bot": bot}


def follows(events: Events, event: dict[str, Any]) -> bool:
    """Whether an event can follow the others."""
    state = Contest(events[0])
    try:
        for one in [*events[1:], event]:
            state.apply(one)
    except ContestError:
        return False
    return True


def forgery(chance: random.Random) -> Events:
    """The log of a contest, in which an event may not be able to follow."""
    events = [started(chance.choice(("coup", "coins")), chance.choice((2, SEEDS)))]
    for _ in range(chance.randrange(2, 14)):
        event = next_event(events, chance)
        if follows(events, event) or chance.random() < 0.1:
            events.append(event)
    return events


@pytest.mark.parametrize("seed", [1, 2])
def test_replay_and_audit_agree_on_contests(seed: int, tmp_path: Path) -> None:
    """The audit has findings in the same logs of contests as the replay calls forged."""
    chance = random.Random(seed)
    for number in range(LOGS):
        (tmp_path / f"{number}").mkdir()
        contests.rewrite(tmp_path / f"{number}", forgery(chance))
    verdicts = {log.path: log.verdict for log in verify_all(sorted(tmp_path.glob(f"*/{CONTEST}")))}
    assert set(verdicts.values()) == {"verified", "incomplete", "forged"}
    with open_database([tmp_path], current_only=True) as database:
        report = audit(database)
    assert not report.unread
    forged = {path for path, verdict in verdicts.items() if verdict == "forged"}
    assert {finding.path for finding in report.findings} == forged
