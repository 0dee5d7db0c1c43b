"""Replay and audit, written independently, agree on forged logs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from audit.run_rules import audit
from audit.tables import open_database
from replay.verify import verify_all
from schema.errors import LogError
from schema.reader import parse
from tests.factories import Events, at_random, match_events, sealed

LOGS = 150
INTEGERS = (2**63 - 1, -(2**63), -1, 0, 1, 7)
TEXTS = ("", "~", "$$$$", "F", "\n", "I\n", "q", "Sq*0\n", "é", "\0", "income", "coup", "drawn")


def changed(value: Any, chance: random.Random) -> Any:
    """Another value of the same type."""
    match value:
        case int():
            return chance.choice(INTEGERS)
        case str():
            return chance.choice((*TEXTS, value + value, value[:1]))
        case [*items]:
            place = chance.randrange(len(items) + 1)
            less, more = items[:place], items[place:]
            return chance.choice(
                [less, items + items, [*less, *(changed(i, chance) for i in more)]]
            )
        case dict():
            key = chance.choice(list(value))
            return {**value, key: changed(value[key], chance)}
    return value


def forge(events: Events, chance: random.Random) -> None:
    """Change some fields, and sometimes drop or double an event."""
    for _ in range(chance.randrange(1, 4)):
        event = chance.choice(events)
        key = chance.choice([key for key in event if key != "type"])
        event[key] = changed(event[key], chance)
    if chance.random() < 0.2:
        events.insert(chance.randrange(1, len(events)), deepcopy(chance.choice(events[1:])))
    if chance.random() < 0.2:
        del events[chance.randrange(1, len(events))]


def forgeries(chance: random.Random) -> Iterator[bytes]:
    """Sealed logs of forged matches that the strict reader lets pass."""
    while True:
        events = match_events(at_random(random.Random(chance.random())), max_calls=40)
        forge(events, chance)
        try:
            data = sealed(events)
            parse(data, Path("log.jsonl"))
        except LogError:
            continue
        yield data


@pytest.mark.parametrize("seed", [1, 2])
def test_replay_and_audit_agree_on_forgeries(seed: int, tmp_path: Path) -> None:
    """The audit has findings in the same forged logs as the replay refutes."""
    for number, data in zip(range(LOGS), forgeries(random.Random(seed)), strict=False):
        (tmp_path / f"{number}.jsonl").write_bytes(data)
    verdicts = {one.path: one.verdict for one in verify_all(sorted(tmp_path.iterdir()))}
    assert set(verdicts.values()) == {"verified", "diverged"}
    with open_database([tmp_path], current_only=True) as database:
        report = audit(database)
    assert not report.unread
    refuted = {path for path, verdict in verdicts.items() if verdict == "diverged"}
    assert {finding.path for finding in report.findings} == refuted
