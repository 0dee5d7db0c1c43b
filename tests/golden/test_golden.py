"""Golden logs: logs sealed once, which every later Koth must read, verify and make again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from games.table import Answer, Fault, MatchTable, Reply, Result, TournamentTable
from replay.verify import verify
from schema import registry
from schema.dice import Dice
from schema.raw import from_fields
from schema.reader import Log, read
from tests.golden.make import COUP_1
from tests.making import Events, converse, sealed

HERE = Path(__file__).parent
LOGS = sorted(HERE.glob("*/*.jsonl"))
NAMES = [str(path.relative_to(HERE)) for path in LOGS]


def said(log: Log) -> Iterator[Reply | Result]:
    """What the bots did, or how the matches of a tournament ended, out of a log, in order."""
    for event in log.events:
        found: Mapping[str, Any] = event
        if found["type"] == "answered" or found.get("kind") == "illegal":
            yield Answer(from_fields(event))
        elif found["type"] == "fault":
            yield Fault(found["kind"], from_fields(event), found.get("found"))
        elif found["type"] == "match_played":
            yield Result(
                found["reason"],
                tuple(found["scores"]),
                tuple(found["winners"]),
                tuple((fault["seat"], fault["kind"]) for fault in found["faults"]),
                found["seal"],
            )


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
    converse(rules, lambda ask: next(answers))
    assert next(answers, None) is None, "the log holds more answers than the rules ask for"
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
    """Re-running the log leads to every event in it."""
    verdict = verify(path)
    assert verdict.verdict == "verified", verdict.reason


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_a_golden_log_is_made_again_byte_for_byte(path: Path) -> None:
    """Its own seed and answers give the same bytes."""
    assert played_again(read(path)) == path.read_bytes()


@pytest.mark.parametrize("version", sorted(registry.card("coup").versions))
def test_every_rules_version_has_golden_logs(version: str) -> None:
    """No rules version of Coup is without golden logs."""
    assert len(list((HERE / version.replace("/", "-")).glob("*.jsonl"))) >= 6


def history(path: Path) -> str:
    """Everything the bots wrote to the history in a log."""
    return "".join(
        str(event.get("appended", "")) for event in read(path).events if event["type"] == "answered"
    )


HAPPENS = {
    "ambassador_shown_for_a_block_is_replaced": "Saq~",
    "ambassador_shown_stays_for_its_exchange": "Eq~<\n",
    "contessa_lie_costs_both_cards": "Asq<",
    "draw_after_max_calls": "Fd\n" * 66 + "Fd",
    "exchange_keeps_order_written": "Ep\n",
    "exchange_for_a_card_not_offered_forfeits": "Ep",
    "false_assassin_is_not_paid_for": "Aq<\n",
    "false_duke_lets_foreign_aid_through": "Fdq<\n",
    "forfeit_by_a_link_in_place_of_the_history": "F",
    "forfeit_by_crash_with_half_an_answer": "",
    "forfeit_by_illegal_bytes": "T",
    "forfeit_by_nothing_appended": "I\n",
    "forfeit_by_tampered_history": "F",
    "forfeit_by_timeout": "Tq",
    "honest_contessa_is_paid_for": "Asq!'\n",
    "many_turns_at_random": "\nAsq!<",
    "steal_of_the_last_coin": "Sp\nI\nSq*0\n",
    "ten_coins_force_a_coup": "C<\nI\nA=",
    "wrong_challenge_of_an_assassin_costs_both_cards": "Aq^=",
}


def test_every_golden_log_has_its_recipe() -> None:
    """No log lies there of which nobody knows how it was made, and what happens in it."""
    matches = {path.stem for path in LOGS if not path.name.startswith("tournament")}
    assert matches == set(COUP_1) == set(HAPPENS)


def test_the_golden_tournament_has_a_shared_rank() -> None:
    """In the tournament's final table two entrants share the first rank."""
    finished: Mapping[str, Any] = read(HERE / "coup-1/tournament_with_a_shared_rank.jsonl").events[
        -2
    ]
    assert [line["rank"] for line in finished["standings"]] == [1, 1, 3]


@pytest.mark.parametrize("name", COUP_1)
def test_a_golden_log_holds_what_its_name_says(name: str) -> None:
    """What the log is named after happens in it."""
    path = HERE / "coup-1" / f"{name}.jsonl"
    finished: Mapping[str, Any] = read(path).events[-2]
    assert HAPPENS[name] in history(path)
    expected = "forfeit" if "forfeit" in name else "drawn" if "draw" in name else "eliminated"
    assert finished["reason"] == expected
    if name.startswith("forfeit"):
        assert history(path) == HAPPENS[name]
