"""Golden logs: sealed once, and every later Koth must read, verify and make them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from games.table import Answer, Fault, JointAsk, MatchTable, Reply, Result, TournamentTable
from replay.verify import verify
from schema import registry
from schema.bot_output import from_fields
from schema.canonical import Event
from schema.dice import Dice
from schema.reader import Log, read
from tests.factories import Events, drive_rules, loads, sealed
from tests.golden.make import HERE, RECIPES

LOGS = sorted(HERE.glob("*/*.jsonl"))
NAMES = [str(path.relative_to(HERE)) for path in LOGS]
VERSIONS = sorted(version for game in registry.names() for version in registry.card(game).versions)


def said(log: Log) -> Iterator[Reply | Result | list[int]]:
    """Yield the answers and faults of a match, or the results of a tournament, in order."""
    for event in log.events:
        found: Mapping[str, Any] = event
        if found["type"] in ("answered", "fault"):
            yield replied(event)
        elif found["type"] == "round":
            yield found["choices"]
        elif found["type"] == "match_played":
            yield Result(
                found["reason"],
                tuple(found["scores"]),
                tuple(found["winners"]),
                tuple((fault["seat"], fault["kind"]) for fault in found["faults"]),
                found["seal"],
            )


def replied(event: Event) -> Reply:
    """Return the reply of one bot."""
    found: Mapping[str, Any] = event
    raw = from_fields(event)
    if found["type"] == "answered" or found["kind"] == "illegal":
        return Answer(raw)
    return Fault(found["kind"], raw, found.get("found"), found["ask"])


def failures(log: Log) -> dict[int, Reply] | None:
    """Return the replies by seat in the last step of a game in which a bot failed."""
    events: list[Mapping[str, Any]] = [
        event for event in log.events if event["type"] in ("answered", "fault")
    ]
    return {event["seat"]: replied(event) for event in events} or None


def played_again(log: Log) -> bytes:
    """The bytes that the rules make of a log's start, seed and answers."""
    events: Events = [log.start]
    is_match = log.kind == "match"
    people = log.start["players" if is_match else "entrants"]
    kind: Any = MatchTable if is_match else TournamentTable
    table = kind(
        [person["name"] for person in people],
        log.settings(),
        Dice(log.seal["seed"]),
        lambda event, clause: events.append(dict(event)),
    )
    rules = (log.version.match_rules() if is_match else log.version.tournament_rules())(table)
    answers = said(log)

    def answer(ask: Any) -> Any:
        if isinstance(ask, JointAsk):
            choices = next(answers, None)
            return choices if isinstance(choices, list) else failures(log)
        return next(answers)

    drive_rules(rules, answer)
    return sealed(events, log.seal["seed"])


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_a_golden_log_is_read_strictly(path: Path) -> None:
    """The log is whole and sealed, of the rules version that its folder is named after."""
    log = read(path)
    assert log.kind == ("tournament" if path.name.startswith("tournament") else "match")
    assert not log.imported
    assert log.start["rules"] == path.parent.name.replace("-", "/")


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_a_golden_log_verifies(path: Path) -> None:
    """Re-running the log gives every event in it."""
    verdict = verify(path)
    assert verdict.verdict == "verified", verdict.reason


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_a_golden_log_is_made_again_byte_for_byte(path: Path) -> None:
    """The log's own seed and answers give the same bytes."""
    assert played_again(read(path)) == path.read_bytes()


@pytest.mark.parametrize("version", VERSIONS)
def test_every_rules_version_has_golden_logs(version: str) -> None:
    """Each rules version of each game has at least six golden logs."""
    assert len(list((HERE / version.replace("/", "-")).glob("*.jsonl"))) >= 6


def test_every_golden_log_has_its_recipe() -> None:
    """Each golden log has a recipe, and each recipe has a log."""
    recipes = {f"{folder}/{name}.jsonl" for folder, known in RECIPES.items() for name in known}
    assert set(NAMES) == recipes


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_a_golden_log_holds_what_its_name_says(path: Path) -> None:
    """The event that the log's name describes happens in it."""
    assert RECIPES[path.parent.name][path.stem].happens(loads(path.read_bytes()))
