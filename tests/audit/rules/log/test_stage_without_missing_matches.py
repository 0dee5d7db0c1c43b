"""The rule ``log/stage_without_missing_matches``."""

from __future__ import annotations

from tests.audit.contests import doctored, event, fired
from tests.contests import Events

RULE = "log/stage_without_missing_matches"


def _start_the_next(events: Events) -> None:
    events.append({"type": "stage_started", "stage": 4})


_next = doctored(_start_the_next)


@doctored
def _next_with_the_same_again(events: Events) -> None:
    entered = event(events, "entered", name="dora")
    events += [{"type": "withdrawn", "name": "dora"}, dict(entered)]
    _start_the_next(events)


@doctored
def _next_of_one(events: Events) -> None:
    events += [{"type": "withdrawn", "name": name} for name in ("anna", "bert", "cleo", "dora")]
    events.append({"type": "entered", "name": "emil", "bot": "e" * 64})
    _start_the_next(events)


@doctored
def _next_of_a_guest(events: Events) -> None:
    events.append({"type": "entered", "name": "emil", "bot": "e" * 64})
    _start_the_next(events)
    events.append({"type": "withdrawn", "name": "emil"})


@doctored
def _next_of_all(events: Events) -> None:
    events[0]["plays"] = "tournaments"
    _start_the_next(events)


@doctored
def _next_with_fewer(events: Events) -> None:
    events[0]["plays"] = "tournaments"
    events.append({"type": "withdrawn", "name": "dora"})
    _start_the_next(events)


def test_stage_without_missing_matches() -> None:
    """A stage between bots that have all met is found, also if a bot came back or is alone.

    A bot that leaves after its only stage had matches there.
    """
    assert fired(_next) == {RULE}
    assert fired(_next_with_the_same_again) == {RULE}
    assert fired(_next_of_one) == {RULE}
    assert fired(_next_of_a_guest) == set()


def test_stage_of_the_same_bots() -> None:
    """In a contest of whole tournaments a stage of the same bots is found, not one of fewer."""
    assert RULE in fired(_next_of_all)
    assert RULE not in fired(_next_with_fewer)
