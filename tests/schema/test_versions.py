"""Formats: old logs are converted step by step, and newer logs are refused by name."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from schema import versions
from schema.canonical import Event
from schema.errors import CorruptLog
from schema.reader import parse
from schema.versions import CURRENT, UPCASTS, Step, UnknownFormat, number, upcast
from tests.factories import at_random, match_events, sealed


def adding(name: str) -> Step:
    """Return a step that adds a field to every event."""

    def step(events: Sequence[Event]) -> list[Event]:
        return [{**event, name: len(event)} for event in events]

    return step


def test_a_log_of_this_format_stays_as_it_is() -> None:
    """The current format needs no step."""
    events: list[Event] = [{"type": "dealt"}]
    assert upcast(events, CURRENT) == events


def test_steps_are_taken_in_order_from_the_logs_own_format() -> None:
    """A log of format 2 is converted to 4 by steps 2 and 3, in this order."""
    steps = {3: adding("third"), 1: adding("first"), 2: adding("second")}
    lifted = upcast([{"type": "dealt"}], 2, steps, current=4)
    assert lifted == [{"type": "dealt", "second": 1, "third": 2}]


def test_a_step_may_change_the_number_of_events() -> None:
    """A step gets the whole log, and may add events."""
    twice: Step = lambda events: [*events, *events]  # noqa: E731
    assert len(upcast([{"type": "a"}, {"type": "b"}], 1, {1: twice}, current=2)) == 4


def test_lifting_leaves_the_events_given_alone() -> None:
    """Conversion does not change the events that were read."""
    events: list[Event] = [{"type": "dealt"}]
    upcast(events, 1, {1: adding("first")}, current=2)
    assert events == [{"type": "dealt"}]


def test_a_newer_format_is_refused_by_name() -> None:
    """A newer log is refused with its format, the newest known format, and advice."""
    with pytest.raises(UnknownFormat, match=r"koth-log/5; .* koth-log/4\. Use a newer koth"):
        upcast([], 5, {}, current=4)


def test_a_missing_step_is_refused() -> None:
    """If a step is missing, the log is refused with the name of that step."""
    with pytest.raises(UnknownFormat, match="from koth-log/2 to koth-log/3"):
        upcast([], 1, {1: adding("first"), 3: adding("third")}, current=4)


def test_every_older_format_has_its_step() -> None:
    """Every older format has a step to the next one."""
    assert sorted(UPCASTS) == list(range(1, CURRENT))


@pytest.mark.parametrize("found", ["koth-log/0", "koth-log/1\n", "koth-log/٣", "log/1", 1, None])
def test_what_is_no_format_is_refused(found: object) -> None:
    """A format is `koth-log/` and a number without leading zeros; others are refused."""
    with pytest.raises(ValueError, match="expected format 'koth-log/1', found"):
        number(found)


def test_a_format_has_its_number() -> None:
    """The number of a format is read from its name."""
    assert [number("koth-log/1"), number("koth-log/12")] == [1, 12]


def test_a_log_of_an_older_format_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strict reader converts an older log before it checks the events."""
    events = match_events(at_random(random.Random(3)), max_calls=5)
    older = [
        {"question" if key == "ask" else key: value for key, value in event.items()}
        for event in events
    ]

    def renamed(found: Sequence[Event]) -> list[Event]:
        return [
            {"ask" if key == "question" else key: value for key, value in event.items()}
            for event in found
        ]

    with pytest.raises(CorruptLog):
        parse(sealed(older), Path("older.jsonl"))
    lift = versions.upcast
    monkeypatch.setattr(versions, "upcast", lambda old, n: lift(old, n, {1: renamed}, current=2))
    assert list(parse(sealed(older), Path("older.jsonl")).events[:-1]) == events
