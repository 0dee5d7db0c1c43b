"""Logs with events dropped, repeated, moved or edited, and with the old or a new seal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema import seal
from schema.canonical import line
from schema.reader import read
from tests.corpus.entries import VERDICTS
from tests.corpus.honest import Honest
from tests.factories import Events
from tests.fuzz import EXAMPLES, LOGS
from tests.golden.test_golden import played_again
from tests.replay.edits import RAW, changes, edited
from tests.replay.log_factory import verdict_on

ALL = list(LOGS.values())
SAID = (*RAW, "choices")
"""Fields that hold the bots' answers, which the rules do not derive."""
WITNESSED = ("kind", "found", "ask", "seat")
"""Fields of a fault that nothing but the referee can confirm."""
REPORTED = ("reason", "scores", "winners", "faults", "seal")
"""Fields that a tournament's log copies from its matches, which alone can contradict them."""

Values = st.SearchStrategy[Any]

VALUES: Values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**64 - 1),
        st.floats(),
        st.text(st.characters(codec="utf-8"), max_size=8),
        st.sampled_from(["0", "a" * 64, "koth-log/2", "coup", "coins/1", "match_finished"]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
"""Any value that JSON can hold."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the changed log."""
    return tmp_path_factory.mktemp("fuzz") / "log.jsonl"


def places(value: Any, at: str = "") -> Iterator[str]:
    """Yield the paths of all values in an event."""
    if at:
        yield at
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, f"{at}.{key}" if at else key)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, f"{at}[{number}]")


def moved_about(data: st.DataObject, events: Events) -> Events:
    """Return ``events`` after one step: drop, double, move, insert, edit, take out or put in."""
    number = st.integers(0, len(events) - 1)
    one, other = data.draw(number), data.draw(number)
    event = events[one]
    match data.draw(st.sampled_from(["drop", "double", "move", "insert", "edit", "out", "in"])):
        case "drop":
            return events[:one] + events[one + 1 :]
        case "double":
            return events[:one] + events[one:][:1] + events[one:]
        case "move":
            rest = events[:one] + events[one + 1 :]
            return [*rest[:other], event, *rest[other:]]
        case "insert":
            strangers = data.draw(st.sampled_from([events, data.draw(st.sampled_from(ALL)).events]))
            stranger = data.draw(st.sampled_from(strangers))
            return [*events[:one], stranger, *events[one:]]
        case "out":
            key = data.draw(st.sampled_from(list(event))) if event else ""
            changed = {name: value for name, value in event.items() if name != key}
        case "in":
            changed = event | {
                data.draw(st.sampled_from(["source", "cut", "x"])): data.draw(VALUES)
            }
        case _:
            where = data.draw(st.sampled_from(list(places(event)) or ["type"]))
            near = [value for at, value in changes(event, "") if at == where]
            likely: Values = st.sampled_from(near) if near else VALUES
            value = data.draw(likely if data.draw(st.booleans()) else VALUES)
            return edited(events, one, where, value)
    return [*events[:one], changed, *events[one + 1 :]]


def closed(events: Events, last: bytes, again: bool) -> bytes:
    """Return ``events`` as lines, under the old seal or a new one that fits."""
    body = b"".join(line(seq, event) for seq, event in enumerate(events))
    if not again:
        return body + last
    end = orjson.loads(last)
    del end["seq"]
    fitting = {"events": len(events), "sha256": seal.hex_digest(body)}
    return body + line(len(events), end | fitting)


@settings(max_examples=5 * EXAMPLES)
@given(data=st.data())
def test_what_is_verified_follows_from_its_answers(path: Path, data: st.DataObject) -> None:
    """Every change to events gets a verdict.

    A log under its old seal verifies only if it is unchanged. A log that is sealed again verifies
    only if the rules make the same bytes from its seed and its answers.
    """
    log: Honest = data.draw(st.sampled_from(ALL))
    events = log.events
    for _ in range(data.draw(st.integers(1, 3))):
        events = moved_about(data, events) if events else events
    again = data.draw(st.sampled_from([True, True, True, False]))
    changed = closed(events, log.lines[-1], again)
    told = verdict_on(path, changed)
    assert told.verdict in VERDICTS
    assert told.reason.isprintable()
    if told.verdict == "verified":
        assert changed == (played_again(read(path)) if again else log.data)


def derived(log: Honest) -> list[tuple[int, str, object]]:
    """Return (seq, field, other value) for all fields that the rules derive."""
    found = []
    for seq, event in enumerate(log.events[1:], 1):
        given = SAID + {"fault": WITNESSED, "match_played": REPORTED}.get(event["type"], ())
        fields = {key: value for key, value in event.items() if key not in given}
        found += [(seq, where, value) for where, value in changes(fields, "")]
    return found


DERIVED = {name: derived(log) for name, log in LOGS.items()}


@settings(max_examples=2 * EXAMPLES)
@given(data=st.data())
def test_edits_of_what_is_derived_are_never_verified(path: Path, data: st.DataObject) -> None:
    """One to three edits of derived fields are found, even if the log is sealed again."""
    name = data.draw(st.sampled_from(list(LOGS)))
    events, seen = LOGS[name].events, set()
    for seq, where, value in data.draw(
        st.lists(st.sampled_from(DERIVED[name]), min_size=1, max_size=3)
    ):
        if seq not in seen:  # an earlier edit may have removed the field
            seen.add(seq)
            events = edited(events, seq, where, value)
    told = verdict_on(path, closed(events, LOGS[name].lines[-1], again=True))
    assert told.verdict in ("corrupt", "diverged")


@settings(max_examples=2 * EXAMPLES)
@given(data=st.data())
def test_any_json_in_place_of_a_line_has_a_verdict(path: Path, data: st.DataObject) -> None:
    """A log with one line replaced by any JSON, and sealed again, does not verify."""
    log: Honest = data.draw(st.sampled_from(ALL))
    *above, last = log.lines
    seq = data.draw(st.integers(0, len(above) - 1))
    value = data.draw(VALUES)
    content = {"seq": seq, "type": "acted", "x": value} if data.draw(st.booleans()) else value
    above[seq] = orjson.dumps(content) + b"\n"
    body = b"".join(above)
    end = orjson.loads(last) | {"sha256": seal.hex_digest(body)}
    assert verdict_on(path, body + orjson.dumps(end) + b"\n").verdict == "corrupt"
