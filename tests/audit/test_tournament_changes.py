"""Each changed value that a tournament's log and those of its matches share is found."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from audit import views
from audit.rule import COMMON, rules
from audit.run_rules import audit
from audit.tables import open_database
from schema import registry, seal
from tests import factories
from tests.audit import unique_games
from tests.audit.contest import Contest
from tests.audit.together import report_on
from tests.audit.tournament_factory import hold
from tests.factories import Events
from tests.sampling import is_sampled

FORMAT = ("type", "format", "game", "seed_commitment")
"""Fields that say how to read a log, and the commitment, which the rules check by the seed."""

SETTINGS: dict[str, dict[str, int]] = {
    "coup": {"rounds": 1, "max_calls": 20},
    "coins": {"games": 2, "rounds": 2},
    "bank_heist": {"matches": 2, "games_min": 1, "games_max": 1, "rabble": 0},
}


def held(game: str) -> Contest:
    """Two matches between two entrants."""
    return hold(
        game,
        ("Anna", "Ben"),
        lambda match: factories.at_random(random.Random(match.id)),
        **SETTINGS[game],
    )


def others(value: Any) -> Iterator[Any]:
    """The value with one number or text in it changed, or a list with one item less or more."""
    match value:
        case int():
            yield from (value - 1, value + 1)
        case str():
            yield "0" * 64 if len(value) == 64 else value + "~"
        case list():
            for n, item in enumerate(value):
                yield from ([*value[:n], other, *value[n + 1 :]] for other in others(item))
            yield [*value, *value[-1:]]
            yield value[:-1]
        case dict():
            for key, item in value.items():
                yield from (value | {key: other} for other in others(item))


def changed(events: Events, ends: tuple[int, ...]) -> Iterator[tuple[str, Events]]:
    """The log with a change of a field of the events at these positions, with its name."""
    for n in ends:
        for field, value in events[n].items():
            for other in others(value) if field not in FORMAT else ():
                log = deepcopy(events)
                log[n][field] = other
                if log != events:
                    yield f"{events[n]['type']}.{field}: {value!r} to {other!r}", log
    yield "no result", events[:-1]
    yield "two results", [*events, events[-1]]


def changes(logs: Contest) -> Iterator[tuple[str, Contest]]:
    """The tournament with a change of its own log, or of the first match's, with its name."""
    for name, events in changed(logs.events, tuple(range(len(logs.events)))):
        yield name, Contest(events, logs.matches, logs.seeds)
    [first, second] = logs.matches

    def with_match(events: Events, seed: str = logs.seeds[first]) -> Contest:
        other = Contest(
            deepcopy(logs.events), logs.matches | {first: events}, logs.seeds | {first: seed}
        )
        other.seal(first)
        return other

    for name, events in changed(logs.matches[first], (0, -1)):
        yield name, with_match(events)
    yield "the other match", with_match(logs.matches[second], logs.seeds[second])
    start, *rest = logs.matches[first]
    start = start | {"seed_commitment": seal.commitment(factories.SEED)}
    yield "another seed", with_match([start, *rest], factories.SEED)
    yield "a lost log", Contest(logs.events, {second: logs.matches[second]}, logs.seeds)


@pytest.mark.parametrize("game", SETTINGS)
def test_every_change_of_a_tournament_is_found(game: str, tmp_path: Path) -> None:
    """Each change of a tournament's log, or of a match's start or result, breaks a rule.

    The suite tries one change in four, the long run all.
    """
    logs = held(game)
    logs.write(tmp_path / "held")
    names = {}
    for number, (name, other) in enumerate(changes(logs)):
        if not is_sampled(name, 4):
            continue
        other.write(tmp_path / f"{number}")
        names[f"{number}"] = name
    report = report_on(tmp_path)
    paths = [f.path for f in report.findings] + [unread.path for unread in report.unread]
    noticed = {Path(path).relative_to(tmp_path).parts[0] for path in paths}
    assert "held" not in noticed
    assert [name for number, name in names.items() if number not in noticed] == []


def wrong_matches(folder: Path) -> None:
    """Changed matches of all games, without their tournaments."""
    for logs in (unique_games.tournament(), *map(held, SETTINGS)):
        match, events = next(iter(logs.matches.items()))
        for number, (name, log) in enumerate(changed(events, tuple(range(len(events))))):
            if is_sampled(name, 20):
                path = folder / f"{logs.events[0]['game']}{number}.jsonl"
                factories.write(path, log, logs.seeds[match])


def wrong_tournaments(folder: Path) -> None:
    """Changed tournaments of all games, without a contest."""
    for logs in (unique_games.tournament(), *map(held, SETTINGS)):
        for number, (name, events) in enumerate(
            changed(logs.events, tuple(range(len(logs.events))))
        ):
            if is_sampled(name, 20):
                place = folder / f"{logs.events[0]['game']}{number}"
                Contest(events, logs.matches, logs.seeds).write(place)


@pytest.mark.parametrize(
    ("write", "missing"),
    [(wrong_matches, {"tournament", "contest"}), (wrong_tournaments, {"contest"})],
    ids=["matches", "tournaments"],
)
def test_a_rule_finds_nothing_without_its_kind_of_log(
    write: Callable[[Path], None], missing: set[str], tmp_path: Path
) -> None:
    """Rules that an audit leaves out, because their kind of log is missing, would find nothing.

    The suite tries one change in twenty, the long run all.
    """
    write(tmp_path)
    with open_database([tmp_path], current_only=True) as database:
        assert len({finding.rule.id for finding in audit(database).findings}) > 10
        assert len(database.games) == 4
        left_out = [
            rule
            for game in (COMMON, *database.games)
            for rule in rules(game)
            if rule.kind in missing
        ]
        for game in database.games:
            views.compute(database, registry.card(game), " ".join(rule.sql for rule in left_out))
        found = {rule.id for rule in left_out if database.execute(rule.sql).fetchall()}
    assert {rule.kind for rule in left_out} == missing
    assert found == set()
