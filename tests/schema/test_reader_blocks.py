"""A log is read in blocks of lines, and an error is reported with its line."""

from __future__ import annotations

import gc
import random
from pathlib import Path
from typing import Any

import pytest

from schema import reader, scan
from schema.errors import CorruptLog, LogError
from tests.factories import SEED, Events, at_random, match_events, sealed

PLACE = Path("log.jsonl")
LINES = (5, reader.BLOCK - 1, reader.BLOCK, reader.BLOCK + 1, 2 * reader.BLOCK + 7)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read a log in blocks of some fifty lines."""
    monkeypatch.setattr(scan, "BLOCK_BYTES", 1 << 12)


def long_match() -> Events:
    """Return a match of several blocks."""
    return match_events(at_random(random.Random(1)), SEED, "smallest_unique", 10, rounds=600)


def told(data: bytes) -> tuple[int | None, str]:
    """Return the line that is refused, and the reason."""
    with pytest.raises(CorruptLog) as error:
        reader.parse(data, PLACE)
    return error.value.line, error.value.found


@pytest.mark.parametrize("seq", LINES)
@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("round", "1", "round.round: expected a valid integer, found '1'"),
        ("choices", [1, True], "round.choices.1: expected a valid integer, found true"),
        ("colour", "red", "round.colour: unknown field"),
        (
            *("type", "rond"),
            "event.type: expected 'match_started', 'answered', 'fault', 'match_finished', "
            "'match_sealed', 'round', found 'rond'",
        ),
    ],
)
def test_a_wrong_field_is_told_with_its_line(seq: int, field: str, value: Any, found: str) -> None:
    """A wrong field is reported with its path in the event, in any block."""
    events = long_match()
    events[seq][field] = value
    assert told(sealed(events)) == (seq + 1, found)


@pytest.mark.parametrize("seq", LINES)
def test_fields_out_of_order_are_told_with_their_line(seq: int) -> None:
    """The fields must be in the order of the model."""
    events = long_match()
    first, *others = events[seq].items()
    events[seq] = dict([first, *reversed(others)])
    assert told(sealed(events)) == (
        seq + 1,
        "expected the fields in their declared order, found another",
    )


@pytest.mark.parametrize("seq", LINES)
def test_a_wrong_layout_is_told_with_its_line(seq: int) -> None:
    """White space, and lines that are joined or cut, are found in any block."""
    lines = sealed(long_match()).splitlines(keepends=True)
    spaced = [*lines]
    spaced[seq] = spaced[seq].replace(b":", b": ", 1)
    assert told(b"".join(spaced))[0] == seq + 1
    joined = [*lines]
    joined[seq : seq + 2] = [joined[seq][:-1] + b"," + joined[seq + 1]]
    cut = joined[1].index(b',"type"')
    joined[1:2] = [joined[1][:cut] + b"\n", joined[1][cut + 1 :]]
    assert len(joined) == len(lines)
    assert told(b"".join(joined))[0] == 2


def test_the_first_wrong_line_is_told() -> None:
    """Of several wrong lines the first one is reported."""
    events = long_match()
    for seq in LINES[1:]:
        events[seq]["round"] = 0
    assert told(sealed(events))[0] == LINES[1] + 1


def test_the_garbage_collector_is_left_as_it_was() -> None:
    """Collection is off while a log is read, and afterwards as it was, also after an error."""
    data = sealed(long_match())
    for changed in (data, data[:-1], data[:50]):
        for enabled in (False, True):
            (gc.enable if enabled else gc.disable)()
            try:
                reader.parse(changed, PLACE)
            except LogError:
                assert changed != data
            assert gc.isenabled() == enabled


def test_a_log_is_begun_with_its_first_line() -> None:
    """A log's first line is checked like any start, before there are other events."""
    events = long_match()
    first, second, *_ = sealed(events).splitlines(keepends=True)
    log = reader.read_start(first, PLACE)
    assert (log.events, log.kind) == ([events[0]], "match")
    for wrong in (
        second,
        first[:-1],
        first[:-1] + b"x",
        b"",
        first.replace(b'"rounds":600', b'"rounds":0'),
    ):
        with pytest.raises(LogError):
            reader.read_start(wrong, PLACE)


def test_common_events_are_checked_one_by_one() -> None:
    """A common event is checked against its model, and a result against the seats."""
    log = reader.read_start(sealed(long_match()).splitlines(keepends=True)[0], PLACE)
    end: dict[str, Any] = {
        "type": "match_finished",
        "reason": "x",
        "scores": [0] * 10,
        "winners": [1],
    }
    reader.check_event(log, 3, end)
    others: list[dict[str, Any]] = [{"scores": [0]}, {"winners": [10]}, {"winners": [1, 1]}]
    for wrong in [*others, {"reason": 1}]:
        with pytest.raises(CorruptLog) as error:
            reader.check_event(log, 3, end | wrong)
        assert error.value.line == 4
