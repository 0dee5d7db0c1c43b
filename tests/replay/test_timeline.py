"""A timeline says of every event what explaining it alone says, out of one run of the rules."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.table import ArgvCall, Ask
from replay import timeline
from replay.errors import ReplayError
from replay.explain import explain
from replay.rerun import Step, rerun
from replay.state import state_at
from replay.timeline import Timeline, changes
from schema.dice import Draw
from schema.errors import CorruptLog, UsageError
from schema.reader import IncompleteLog
from tests import contests
from tests.factories import SEED, Events, at_random, match_events, sealed, write
from tests.replay.log_factory import SHORT, crash_match, hex_seed, short, tournament_folder
from tests.schema.shell import sh

GAMES: dict[str, dict[str, Any]] = {
    "bank_heist": {"players": 3, "games_min": 2, "games_max": 2, "rabble": 9},
    "coins": {"players": 3, "rounds": 4},
    "coup": {"max_calls": 12},
    "smallest_unique": {"players": 10, "rounds": 5},
}
"""A small match of each game."""


def match_of(game: str) -> Events:
    """The events of one."""
    return match_events(at_random(random.Random(1)), SEED, game, **GAMES[game])


@pytest.fixture(params=GAMES)
def one(request: pytest.FixtureRequest, tmp_path: Path) -> Timeline:
    """The timeline of a small match of each game."""
    return timeline.read(write(tmp_path / "log.jsonl", match_of(request.param)))


def test_every_event_is_explained_as_it_is_alone(one: Timeline) -> None:
    """Event, clause, question, answer, dice, and the states before and after are the same."""
    assert one.verdict is not None
    assert (one.verdict.verdict, one.replayed) == ("verified", len(one.log.events))
    for seq, found in enumerate(one):
        alone = explain(one.log, seq)
        assert (found.step, found.clause_text) == (alone.step, alone.clause_text)
        assert (found.ask, found.draws) == (alone.ask, alone.draws)
        assert (found.before, found.after) == (alone.before, alone.after)
        assert (found.answer is None) == (alone.answer is None)
        if isinstance(found.ask, Ask) and found.answer is not None:
            answer = found.answer.event
            assert (found.ask.seat, found.ask.name) == (answer["seat"], answer["ask"])
        if found.answer is not None and alone.answer is not None:
            assert (found.answer.seq, found.answer.event) == (alone.answer.seq, alone.answer.event)


@pytest.mark.parametrize(("seat", "ask"), [(0, "bid"), (0, "card"), (1, "bid")])
def test_an_answer_is_explained_by_its_own_question(seat: int, ask: str) -> None:
    """Of the questions that a game asks at once, it is the one of this name to this seat."""
    asks = [
        Ask(*part, ArgvCall(()), ()) for part in ((0, "bid"), (0, "card"), (1, "card"), (1, "bid"))
    ]
    answer = Step(7, {"type": "answered", "seat": seat, "ask": ask}, "", asks)
    found = timeline._question_of(answer)
    assert isinstance(found, Ask)
    assert found.part == (seat, ask)


def test_an_answer_of_all_seats_follows_those_of_single_seats(tmp_path: Path) -> None:
    """An event of a seat after it rests on it, and no longer on that seat's earlier answer."""
    log = timeline.read(write(tmp_path / "log.jsonl", match_of("smallest_unique"))).log
    answered = {"type": "answered", "seat": 0}
    events: Events = [answered, {"type": "round"}, {"type": "paid", "seat": 0}, {"type": "paid"}]
    steps = [Step(seq, event, "") for seq, event in enumerate([*events, answered, *events[2:]])]
    answers = [answer and answer.seq for _, answer in timeline._with_answers(log, steps)]
    assert answers == [0, 1, 1, 1, 4, 4, 4]


def test_states_are_those_of_a_replay(one: Timeline) -> None:
    """The state at an event is that of a replay to it, although states share what is the same."""
    alone = rerun(one.log, keep_state=lambda seq: True)
    assert [step.state for step in one.steps] == [step.state for step in alone]
    assert one[-2].after == state_at(one.log).state


def test_states_share_what_did_not_change(one: Timeline) -> None:
    """Equal successive states are one object, and so are their equal parts, at any depth."""

    def check(before: object, after: object) -> None:
        if before == after:
            assert after is before or not isinstance(after, dict | list)
        elif isinstance(before, dict) and isinstance(after, dict):
            for key in before.keys() & after.keys():
                check(before[key], after[key])
        elif isinstance(before, list) and isinstance(after, list):
            for values in zip(before, after, strict=False):
                check(*values)

    for found in one:
        check(found.before, found.after)


def test_dice_are_recomputed_by_their_commands(one: Timeline) -> None:
    """A shell that runs the commands prints the digests that the dice were read from."""
    dice = [(found.dice, found.step.draws) for found in one if found.step.draws]
    lines = sh("; ".join(die.command for row, _ in dice for die in row) or ":").splitlines()
    for row, draws in dice:
        assert len(row) <= len(draws)
        for draw in draws:
            labels = [f"{draw.label}:{item}" for item in draw.items] or [draw.label]
            digests = [sha256(f"{SEED}:{label}".encode()).hexdigest() for label in labels]
            for digest in sorted(digests) if draw.items else digests:
                assert lines.pop(0).split()[0] == digest
    assert lines == []


def test_the_digests_of_a_bulk_draw_are_one_die(tmp_path: Path) -> None:
    """They follow each other from number 0 on; all other dice are shown one by one."""
    draws = [
        Draw("x", "1 of 0 … 5"),
        *(Draw(f"deal#{number}", "four words") for number in range(4)),
        *(Draw(f"more#{number}", "four words") for number in range(2)),
        *(Draw(label, "four words") for label in ("once#0", "twice#1", "twice#2", "once#0")),
    ]
    found = timeline.read(write(tmp_path / "log.jsonl", short(), hex_seed(SHORT)))[1]
    dice = replace(found, step=replace(found.step, draws=draws)).dice
    assert [(die.label, die.outcome) for die in dice] == [
        ("x", "1 of 0 … 5"),
        ("deal#0 … deal#3", "4 digests of four words"),
        ("more#0 … more#1", "2 digests of four words"),
        ("once#0", "four words"),
        ("twice#1", "four words"),
        ("twice#2", "four words"),
        ("once#0", "four words"),
    ]


def test_a_log_without_its_seal_is_shown_as_recorded(tmp_path: Path) -> None:
    """A log without its seal has no states and no dice; its answers and faults are events."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(sealed(crash_match(), hex_seed(SHORT)).splitlines(True)[:-1]))
    found = timeline.read(path)
    assert found.verdict is not None
    assert (found.verdict.verdict, found.replayed) == ("incomplete", 0)
    assert [step.event for step in found.steps] == crash_match()
    assert [step.seq for step in found.steps] == [*range(len(crash_match()))]
    assert {step.clause for step in found.steps if "clause" not in step.event} == {""}
    fault = next(one for one in found if one.is_fault)
    assert (fault.step.clause, fault.after, fault.ask, fault.dice) == ("CP-17", None, None, [])
    assert fault.clause_text
    assert fault.answer is fault.step
    path.write_bytes(b"")
    with pytest.raises(IncompleteLog):
        timeline.read(path)


def test_a_log_that_diverges_is_replayed_up_to_there(tmp_path: Path) -> None:
    """Before the first difference there are states, and from there on the recorded events."""
    events = short()
    wrong = next(seq for seq, event in enumerate(events) if event["type"] == "coins_moved")
    events[wrong]["coins"] = [7, 7]
    found = timeline.read(write(tmp_path / "log.jsonl", events, hex_seed(SHORT)))
    assert found.verdict is not None
    assert (found.verdict.verdict, found.replayed) == ("diverged", wrong)
    assert [one.event for one in found][:-1] == events
    assert [one.step.seq for one in found] == [*range(len(events) + 1)]
    assert found[wrong - 1].after == state_at(found.log, wrong - 1).state
    assert {found[seq].after is None for seq in range(wrong, len(found))} == {True}
    with pytest.raises(ReplayError, match=f"diverges at event {wrong}"):
        explain(found.log, wrong)


def test_a_course_is_the_timeline_of_a_log_that_is_not_kept(one: Timeline) -> None:
    """It explains the same events, all of them or those that are selected."""
    course = timeline.course(one.log.path)
    each = list(course)
    assert [(found.step, found.before, found.sentence) for found in each] == [
        (found.step, found.before, found.sentence) for found in one
    ]
    assert course.replayed == one.replayed == len(each)
    chosen = list(course.explain(course.run(), lambda seq: seq in (3, 5)))
    assert [found.step.seq for found in chosen] == [3, 5]
    assert [found.before for found in chosen] == [one[2].after, one[4].after]
    assert [one.location(seq) for seq in (0, 3)] == ["event 0, line 1", "event 3, line 4"]


def test_a_log_that_was_verified_is_not_verified_again(one: Timeline) -> None:
    """A course has the verdict that it is given."""
    with patch.object(timeline, "verify", side_effect=AssertionError):
        assert timeline.course(one.log.path, one.verdict).verdict is one.verdict


def test_a_log_as_recorded(one: Timeline) -> None:
    """Without a replay, all events of a log are shown, and none has a verdict."""
    found = timeline.as_recorded(one.log)
    assert [step.event for step in found.steps] == [step.event for step in one.steps]
    assert [step.seq for step in found.steps] == [*range(len(one))]
    assert (found.verdict, found.replayed) == (None, 0)


def test_what_is_no_log_has_no_timeline(tmp_path: Path) -> None:
    """A file that cannot be read as a log is refused, and so is the log of a contest."""
    cup = contests.new(tmp_path / "cup")
    with pytest.raises(UsageError, match="found that of a contest"):
        timeline.read(cup / "contest.jsonl")
    path = tmp_path / "log.jsonl"
    path.write_bytes(sealed(short(), hex_seed(SHORT)).replace(b"dealt", b"delta"))
    with pytest.raises(CorruptLog):
        timeline.read(path)


def test_a_tournament_has_a_timeline(tmp_path: Path) -> None:
    """In a tournament's log each event has its clause; matches with a fault count as such."""
    found = timeline.read(tournament_folder(tmp_path)[-1])
    assert found.log.kind == "tournament"
    assert all(one.clause_text for one in found[1:-1])
    faults = [one.event for one in found if one.is_fault]
    assert faults == [event for event in found.log.events if event.get("faults")]
    assert faults


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.integers(2**70, 2**70 + 2) | st.text("a"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=8,
)


@given(JSON, JSON)
@example([1, [2, 3]], [1, [2, 4]])
@example([1, 2], [1, 2, 3])
@example({"a": [2**70], "b": 2}, {"a": [2**70], "b": 3})
@example({"a": 1, "b": 2}, {"a": 1})
@example({"a": 1}, {"a": 1, "b": 2})
@example({"a": [0, 1]}, {"a": [False, 1]})
def test_changes_lead_from_one_state_to_the_other(before: object, after: object) -> None:
    """Put in place of what was there, the changed values make the state after, and no fewer do.

    No part of a changed value could have been changed instead.
    """
    state = {"state": deepcopy(before)}
    found = list(changes(before, after, ("state",)))
    for path, value in found:
        place: Any = state
        for key in path[:-1]:
            place = place[key]
        old = place[path[-1]]
        assert (old, type(old)) != (value, type(value))
        assert not (isinstance(old, dict) and isinstance(value, dict) and {*old} == {*value})
        assert not (isinstance(old, list) and isinstance(value, list) and len(old) == len(value))
        place[path[-1]] = value
    assert json.dumps(state, sort_keys=True) == json.dumps({"state": after}, sort_keys=True)
