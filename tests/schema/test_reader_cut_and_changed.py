"""Logs that are cut, have lines exchanged, or have one byte changed."""

from __future__ import annotations

from itertools import combinations

import pytest

from schema.errors import CorruptLog, LogError
from schema.reader import IncompleteLog, parse
from tests.factories import SEED, sealed
from tests.schema import samples

LOGS = (samples.whole(), sealed(samples.tournament_events()))


@pytest.mark.parametrize("data", LOGS, ids=["match", "tournament"])
def test_a_cut_log_is_incomplete_with_the_events_that_are_there(data: bytes) -> None:
    """A sealed log cut after any byte is incomplete, and keeps all whole events."""
    events = parse(data, samples.PATH).events
    for cut in range(len(data)):
        with pytest.raises(IncompleteLog) as caught:
            parse(data[:cut], samples.PATH)
        there = data[:cut].count(b"\n")
        log = caught.value.log
        assert caught.value.line == there + 1
        assert (list(log.events) if log else []) == list(events[:there])


def test_an_empty_file_is_incomplete() -> None:
    """An empty file is a log whose first event is missing."""
    with pytest.raises(IncompleteLog, match="expected a first event, found none") as caught:
        parse(b"", samples.PATH)
    assert (caught.value.line, caught.value.log) == (1, None)


def test_a_torn_tail_is_measured() -> None:
    """The message has the number of events and bytes before the end."""
    with pytest.raises(IncompleteLog) as caught:
        parse(b"".join(text + b"\n" for text in samples.lines()) + b'{"seq":9,', samples.PATH)
    assert caught.value.found == "after 9 events there is no seal; line 10 is torn after 9 bytes"


def test_a_log_of_whole_lines_has_no_torn_tail() -> None:
    """Without a partial line the message says only that there is no seal."""
    with pytest.raises(IncompleteLog) as caught:
        parse(b"".join(text + b"\n" for text in samples.lines()), samples.PATH)
    assert (caught.value.found, caught.value.partial_line) == (
        "after 9 events there is no seal",
        0,
    )


@pytest.mark.parametrize(
    "tail",
    [
        b"garbage",
        b"\0\0\0",
        b"x\0",
        b"{}",
        b'{"seq":8',
        b'{"seq": 9',
        b'{"type":',
        b" ",
        b"\xff",
        b"[",
    ],
)
def test_a_tail_that_begins_no_event_is_corrupt(tail: bytes) -> None:
    """A last line without LF is partial only if it is the start of the next event."""
    with pytest.raises(CorruptLog) as caught:
        parse(b"".join(text + b"\n" for text in samples.lines()) + tail, samples.PATH)
    assert caught.value.line == 10
    assert caught.value.found.startswith("expected event 9, found ")


def test_zero_bytes_after_a_power_cut_are_named() -> None:
    """The message counts zero bytes at the end, and says how to remove them."""
    with pytest.raises(CorruptLog, match=r"found 3 zero bytes, .* \(`truncate -s -3` removes"):
        parse(b"".join(text + b"\n" for text in samples.lines()) + b"\0\0\0", samples.PATH)


def test_only_zero_bytes_are_named() -> None:
    """A tail that is not zeros alone is garbage: its bytes are not counted as those of a cut."""
    for tail in (b"garbage", b"\0x\0"):
        with pytest.raises(CorruptLog, match=r"expected event 9, found garbage$"):
            parse(b"".join(text + b"\n" for text in samples.lines()) + tail, samples.PATH)


def test_garbage_alone_is_corrupt() -> None:
    """A file that never was a log is corrupt, with or without an LF."""
    for data in (b"garbage", b"garbage\n", b"\n", b"\0" * 4096, b"PK\x03\x04", b"[]\n"):
        with pytest.raises(CorruptLog):
            parse(data, samples.PATH)


def test_swapped_lines_are_corrupt() -> None:
    """A log in which two lines are exchanged is corrupt."""
    lines = samples.whole().splitlines(keepends=True)
    for one, other in combinations(range(len(lines)), 2):
        swapped = list(lines)
        swapped[one], swapped[other] = lines[other], lines[one]
        with pytest.raises(CorruptLog):
            parse(b"".join(swapped), samples.PATH)


def test_left_out_and_doubled_lines_are_corrupt() -> None:
    """A log with a line missing or repeated is corrupt."""
    lines = samples.whole().splitlines(keepends=True)
    for place in range(len(lines) - 1):
        for changed in (lines[:place] + lines[place + 1 :], [*lines[: place + 1], *lines[place:]]):
            with pytest.raises(CorruptLog):
                parse(b"".join(changed), samples.PATH)


@pytest.mark.parametrize("flip", [0x01, 0x02, 0x10, 0x20, 0x80, 0xFF])
def test_a_changed_byte_is_found(flip: int) -> None:
    """A log with one byte changed is refused, unless that is a hex digit of the seed."""
    data = samples.whole()
    seed = range(data.rindex(SEED.encode()), data.rindex(SEED.encode()) + len(SEED))
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= flip
        if place in seed and changed[place] in b"0123456789abcdef":
            assert parse(bytes(changed), samples.PATH).seal["seed"] != SEED
            continue
        with pytest.raises(LogError):
            parse(bytes(changed), samples.PATH)


def test_answers_of_any_bytes_do_not_break_lines() -> None:
    """The output of a bot cannot end a line, begin an event or close the log."""
    wild = '\n{"seq":3,"type":"match_sealed"}\n\u2028\x85\r\x00\x1e'
    events = samples.events()
    events[2] |= {"appended": wild, "output": wild}
    data = sealed(events)
    assert data.count(b"\n") == 10
    assert parse(data, samples.PATH).events[2] == events[2]
