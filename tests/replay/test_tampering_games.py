"""A log of any game with any change is not verified, with or without a new seal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schema import registry
from schema.reader import read
from tests.factories import Events, loads, sealed
from tests.golden.make import HERE
from tests.replay.edits import changes, derived, edited, sample
from tests.replay.log_factory import verdict_on
from tests.sampling import FACTOR

GAMES = registry.names()
LONGEST = 20_000
"""Bytes of the longest log that is changed in every way."""
EACH = FACTOR
"""Number of events of each type that are changed in one log."""
SAMPLE = 3 * FACTOR
"""In how many logs of a game each field is changed: the shortest."""
STEP = 1 if FACTOR > 1 else 6
"""In the suite every sixth event of a log is tried, in each log others."""


def logs(game: str) -> list[Path]:
    """The golden matches of a game that are not too long, the shortest first."""
    found = sorted((HERE / f"{game}-1").glob("*.jsonl"), key=lambda path: path.stat().st_size)
    return [
        path
        for path in found
        if path.stat().st_size <= LONGEST and not path.name.startswith("tournament")
    ]


def shortest(game: str) -> bytes:
    """The shortest of them."""
    return min((path.read_bytes() for path in logs(game)), key=len)


def rulings(events: Events) -> Iterator[tuple[int, str, object]]:
    """(seq, field, another value) for what the rules derive, in a few events of each type."""
    seen: Counter[str] = Counter()
    for seq, event in enumerate(events[1:-1], 1):
        seen[event["type"]] += 1
        if seen[event["type"]] > EACH:
            continue
        for field, value in sample(changes(derived(event), ""), seq):
            if field.startswith("choices"):
                continue  # what the bots said
            if event["type"] == "fault" and field in witnessed(event):
                continue
            yield seq, field, value


def witnessed(event: dict[str, Any]) -> tuple[str, ...]:
    """The fields of a fault for which there is only the referee's word."""
    if event["kind"] == "illegal":
        return ()
    if event["ask"] in ("construct", "update"):  # of all seats; see test_joint_answers.py
        return ("kind", "found", "ask", "seat")
    return ("kind", "found", "ask") if event["clause"] == "SU-9" else ("kind", "found")


@pytest.mark.parametrize("game", GAMES)
def test_any_derived_field_that_is_edited_diverges(game: str, tmp_path: Path) -> None:
    """A derived field, edited and sealed again, diverges there, or the reader refuses it."""
    path, seen = tmp_path / "log.jsonl", set()
    for log in logs(game)[:SAMPLE]:
        seed, events = read(log).seal["seed"], loads(log.read_bytes())
        for seq, field, value in rulings(events):
            told = verdict_on(path, sealed(edited(events, seq, field, value), seed))
            seen.add(told.verdict)
            assert told.verdict in ("diverged", "corrupt"), (log.name, seq, field, value)
            if found := told.divergence:
                assert found.seq <= seq, (log.name, seq, field, value)
                assert found.clause or found.event_recomputed["type"] in ("answered", "round")
    assert seen == {"diverged", "corrupt"}


@pytest.mark.parametrize("game", GAMES)
def test_an_event_removed_doubled_or_moved_is_found(game: str, tmp_path: Path) -> None:
    """One event less, one twice, or two in each other's place are never verified."""
    path = tmp_path / "log.jsonl"
    for number, log in enumerate(logs(game)):
        seed, events = read(log).seal["seed"], loads(log.read_bytes())[:-1]
        for seq in range(1 + number % STEP, len(events), STEP):
            if events[seq].get("ask") in ("construct", "update"):
                continue  # that one of several failed there is the referee's word
            changed = [events[:seq] + events[seq + 1 :], events[: seq + 1] + events[seq:]]
            if seq + 1 < len(events) and events[seq] != events[seq + 1]:
                swapped = list(events)
                swapped[seq : seq + 2] = events[seq + 1], events[seq]
                changed.append(swapped)
            for one in changed if seq < 40 else changed[:1]:
                told = verdict_on(path, sealed(one, seed))
                assert told.verdict in ("diverged", "corrupt"), (log.name, seq)


@pytest.mark.parametrize("game", GAMES)
def test_another_seed_is_found(game: str, tmp_path: Path) -> None:
    """A log sealed with another seed is forged: that is not the one committed to."""
    events = loads(shortest(game))
    assert verdict_on(tmp_path / "log.jsonl", sealed(events, "e" * 64)).verdict == "forged"
