"""Logs with lost or changed bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import EXAMPLES, LOGS
from tests.replay.log_factory import verdict_on
from tests.sampling import FACTOR

STEP = 1 if FACTOR > 1 else 29
"""The suite flips every 29th bit: 29 and eight share no divisor."""

CUTS = 1 if FACTOR > 1 else 5
"""The suite cuts a log at every fifth byte, and at the end of each line."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the changed log."""
    return tmp_path_factory.mktemp("fuzz") / "log.jsonl"


@pytest.mark.parametrize("name", LOGS)
def test_every_prefix_is_incomplete(name: str, path: Path) -> None:
    """A log that is cut anywhere is incomplete at that line; only the whole log verifies."""
    data = LOGS[name].data
    ends = (place + 1 for place, byte in enumerate(data[:-1]) if byte == ord("\n"))
    for size in sorted({*range(0, len(data), CUTS), *ends}):
        told = verdict_on(path, data[:size])
        assert (told.verdict, told.line) == ("incomplete", data[:size].count(b"\n") + 1), size
    assert verdict_on(path, data).verdict == "verified"


@pytest.mark.parametrize("name", LOGS)
def test_every_flipped_bit_is_found(name: str, path: Path) -> None:
    """A flipped bit is corrupt; in the last LF also incomplete, in the seed's digits forged."""
    data = LOGS[name].data
    start = data.rindex(b'"seed":"') + len(b'"seed":"')
    for bit in range(0, len(data) * 8, STEP):
        place = bit // 8
        changed = bytearray(data)
        changed[place] ^= 1 << bit % 8
        right = {"corrupt"}
        if place == len(data) - 1:
            right = {"incomplete", "corrupt"}
        elif start <= place < start + 64 and changed[place] in b"0123456789abcdef":
            right = {"forged"}
        assert verdict_on(path, bytes(changed)).verdict in right, bit


def pieces(size: int) -> st.SearchStrategy[tuple[int, int]]:
    """Return a strategy for the start and the end of a piece of at most ``size`` bytes."""
    return st.tuples(st.integers(0, size), st.integers(0, size)).map(
        lambda ends: (min(ends), max(ends))
    )


@settings(max_examples=3 * EXAMPLES)
@given(data=st.data())
def test_a_spliced_log_is_never_verified(path: Path, data: st.DataObject) -> None:
    """A log with a piece replaced, by a piece of any log or by any bytes, does not verify."""
    host, guest = (data.draw(st.sampled_from(list(LOGS.values()))).data for _ in range(2))
    start, end = data.draw(pieces(len(host)))
    first, last = data.draw(pieces(len(guest)))
    piece = data.draw(st.one_of(st.just(guest[first:last]), st.binary(max_size=40)))
    spliced = host[:start] + piece + host[end:]
    told = verdict_on(path, spliced)
    assert (told.verdict == "verified") == any(spliced == log.data for log in LOGS.values())
    assert told.reason.isprintable()


@settings(max_examples=3 * EXAMPLES)
@given(lines=st.lists(st.one_of(st.binary(max_size=60), st.text(max_size=20).map(str.encode))))
def test_any_bytes_have_a_verdict(path: Path, lines: list[bytes]) -> None:
    """Bytes that are no log are corrupt or incomplete."""
    verdict = verdict_on(path, b"\n".join(lines)).verdict
    assert verdict in ("corrupt", "incomplete")
