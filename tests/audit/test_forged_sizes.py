"""Repeated lines and long values of a forged log do not multiply in the tables of the audit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from audit import memory, views
from audit.run_rules import Report, audit
from audit.tables import open_database
from schema import registry
from tests import contests, factories
from tests.audit.coin_games import still
from tests.audit.contest import contest
from tests.audit.doctored_logs import turn
from tests.audit.test_schedules import drawn
from tests.audit.together import report_on
from tests.factories import Events

END = {"type": "tournament_finished", "standings": []}
NAMES = ("anna", "bert", "cleo", "dora")


def start_of(names: Sequence[str], **fields: Any) -> dict[str, Any]:
    """The first event of a tournament of these entrants, with other fields."""
    start: dict[str, Any] = factories.tournament_events(drawn, NAMES[:2], rounds=1)[0]
    commitment = start.pop("seed_commitment")
    entrants = [{"entrant": n, "name": name, "bot": "a" * 64} for n, name in enumerate(names)]
    return start | {"entrants": entrants, **fields, "seed_commitment": commitment}


def repeated(folder: Path, pairings: list[list[int]]) -> Path:
    """A contest that starts and ends its only stage fifty times; the stage has these pairings."""
    cup = contests.new(folder / "cup")
    events = contests.events(cup)
    events += [{"type": "entered", "name": name, "bot": "a" * 64} for name in NAMES]
    end = {"seed": "b" * 64, "files": 1, "root": "c" * 64}
    events += [{"type": "stage_started", "stage": 1}] * 50
    events += [{"type": "stage_finished", "stage": 1, **end}] * 50
    contests.rewrite(cup, events)
    start = start_of(NAMES, tournament=f"{events[0]['contest']}/0001", pairings=pairings)
    factories.write(cup / "stages/0001/tournament.jsonl", [start, END])
    return cup


def findings(report: Report, rule: str) -> list[tuple[str, str]]:
    """Expected and found values of a rule's findings."""
    return [(f.expected, f.found) for f in report.findings if f.rule.id == rule]


def test_a_repeated_stage_is_one(tmp_path: Path) -> None:
    """Fifty starts and ends of a stage are one row; and one pair of those missing is named."""
    cup = repeated(tmp_path, [[0, 1]])
    with open_database([cup], current_only=True) as database:
        assert database.execute("SELECT count(*) FROM stages").fetchall() == [(1,)]
        report = audit(database)
    assert len(findings(report, "log/stage_out_of_order")) == 99
    missing = ("[0,2] played", "[0,2] not played, like 4 others")
    assert findings(report, "log/pairings_not_those_missing") == [missing]


def test_pairs_of_many_entrants_are_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament of four thousand entrants without a match needs no list of their pairs."""
    start = start_of([f"bot{n}" for n in range(4_000)])
    factories.write(tmp_path / "tournament.jsonl", [start, END])
    monkeypatch.setenv(memory.VARIABLE, "400MB")
    with open_database([tmp_path], current_only=True) as database:
        report = audit(database, "coup/schedule_not_kept")
    expected = ("1-000000, seats [0,1]", "no more matches")
    assert findings(report, "coup/schedule_not_kept") == [expected]


def longest(folder: Path, events: Events, game: str, query: str) -> list[Any]:
    """Run a query on the views of a game, made of a log of these events."""
    factories.write(folder / "log.jsonl", events)
    with open_database([folder], current_only=True) as database:
        views.compute(database, registry.card(game), query)
        return list(database.execute(query).fetchall()[0])


def test_long_texts_of_coup_are_cut(tmp_path: Path) -> None:
    """Long hands, decks, coins and lines are not repeated in full for each later event."""
    log = turn("I\n")
    log.first("dealt").update(hands=["~" * 500, "^" * 500], coins=[1] * 500, deck="*" * 500)
    answered = log.first("answered") | {"appended": "x" * 500, "output": "y" * 500}
    log.events[2:-1] = [answered] * 40 + [
        {"type": "coins_moved", "cause": "tax", "change": [3] * 500, "coins": [1] * 500},
        {"type": "card_lost", "seat": 0, "cause": "coup", "card": "~", "hand": "~" * 500},
    ]
    query = (
        "SELECT max(length(line)), max(length(reply)), max(length(choice)), "
        "max(length(hands_before[1])), max(length(deck_before)), max(len(coins_before)) "
        "FROM coup_effects"
    )
    assert longest(tmp_path, log.events, "coup", query) == [64, 8, 16, 16, 16, 3]


def test_a_long_turn_order_of_coins_is_cut(tmp_path: Path) -> None:
    """A turn order of more than sixty seats is not repeated in full for each turn."""
    log = still()
    log.first("laid_out")["order"] = [*range(500)]
    query = "SELECT max(len(turn_order)), max(len(next)), max(len(previous)) FROM coins_turns"
    assert longest(tmp_path, log.events, "coins", query) == [60, 60, 60]


def test_a_repeated_match_is_compared_once(tmp_path: Path) -> None:
    """Twenty copies of a match's log and twenty lines that list it give no finding per pair."""
    logs = contest()
    [line] = [event for event in logs.events if event.get("match") == "1-000000"]
    changed = line | {"seal": "0" * 64, "reason": "drawn", "seats": [2, 0]}
    place = logs.events.index(line)
    logs.events[place : place + 1] = [changed] * 20
    for copy in range(19):
        logs.matches[f"1-000000-{copy}"] = logs.matches["1-000000"]
        logs.seeds[f"1-000000-{copy}"] = logs.seeds["1-000000"]
    logs.write(tmp_path)
    report = report_on(tmp_path)
    for rule in ("seal_not_the_match_logs", "result_not_the_match_logs"):
        assert len(findings(report, f"log/{rule}")) == 20
    assert len(findings(report, "log/players_not_the_entrants")) == 40


def test_names_that_look_alike_are_not_paired(tmp_path: Path) -> None:
    """Sixteen spellings of a name are fifteen findings."""
    cup = contests.new(tmp_path / "cup")
    events = contests.events(cup)
    spellings = ["".join(letters) for letters in product("aA", "bB", "cC", "dD")]
    events += [{"type": "entered", "name": name, "bot": "a" * 64} for name in spellings]
    contests.rewrite(cup, events)
    with open_database([cup], current_only=True) as database:
        report = audit(database, "log/versions_look_alike")
    assert {wanted for wanted, _ in findings(report, "log/versions_look_alike")} == {
        "another name than abcd"
    }
    assert len(report.findings) == 15
