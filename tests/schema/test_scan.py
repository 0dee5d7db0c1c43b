"""A long log is read from disk in blocks: the same events, in bounded memory."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from replay.verify import verify
from schema import reader, scan
from schema.errors import CorruptLog, GameError
from schema.files import LINE_BYTES
from schema.writer import LogWriter
from tests.factories import SEED, at_random, match_events, sealed


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read a log in blocks of some fifty lines."""
    monkeypatch.setattr(scan, "BLOCK_BYTES", 1 << 12)


@pytest.fixture(scope="module")
def data() -> bytes:
    """Return a match of several blocks."""
    events = match_events(at_random(random.Random(1)), SEED, "smallest_unique", 10, rounds=600)
    return sealed(events)


def test_a_long_log_is_the_same_log(data: bytes, tmp_path: Path) -> None:
    """A long log has the same events as one in memory, in any order of access."""
    (tmp_path / "log.jsonl").write_bytes(data)
    held = reader.read(tmp_path / "log.jsonl").events
    with patch.object(scan, "HELD_BYTES", 100):
        found = reader.read(tmp_path / "log.jsonl").events
        assert isinstance(found, scan.OnDisk)
        assert isinstance(held, list)
        assert len(found) == len(held)
        assert [*found] == held
        assert [*reversed(found)] == held[::-1]
        for part in (slice(250, 520, 7), slice(-1), slice(None, None, -3)):
            assert [*found[part]] == held[part]
            assert [*found[part][1:-1]] == held[part][1:-1]
            assert found[part][-1] == held[part][-1]
        assert [found[at] for at in (0, 256, -1)] == [held[at] for at in (0, 256, -1)]
        with pytest.raises(IndexError):
            found[len(held)]


def test_a_long_log_that_diverges_gets_the_same_verdict(data: bytes, tmp_path: Path) -> None:
    """A long log that diverges gets the same explanation as one in memory."""
    events = match_events(at_random(random.Random(1)), SEED, "smallest_unique", 10, rounds=600)
    events[300] = events[300] | {"winner": 9 - (events[300]["winner"] or 0)}
    log = tmp_path / "log.jsonl"
    log.write_bytes(sealed(events))
    short = verify(log)
    with patch.object(scan, "HELD_BYTES", 100):
        assert verify(log) == short
    assert short.verdict == "diverged"


def test_a_log_that_is_exchanged_while_it_is_read_is_refused(data: bytes, tmp_path: Path) -> None:
    """A block that changed after its check is refused."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(data)
    with patch.object(scan, "HELD_BYTES", 100):
        found = reader.read(log).events
        log.write_bytes(data.replace(b'"round":', b'"Round":'))
        with pytest.raises(CorruptLog, match="changed while it was read"):
            found[200]


def test_a_line_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """A line above the maximum is refused by reader and writer, with its number and the maximum."""
    log = tmp_path / "log.jsonl"
    for end in (b"", b"\n"):
        log.write_bytes(b"\0" * (LINE_BYTES + 1) + end)
        found = verify(log)
        assert (found.verdict, found.line) == ("corrupt", 1)
        assert f"expected lines of up to {LINE_BYTES} bytes" in found.reason
    with LogWriter(tmp_path / "new.jsonl") as writer, pytest.raises(GameError, match="up to"):
        writer.write({"type": "said", "text": "x" * LINE_BYTES})


@given(
    sizes=st.lists(st.integers(0, 25)),
    partial_line=st.integers(0, 25),
    block_bytes=st.integers(1, 20),
)
@example(sizes=[19], partial_line=20, block_bytes=7)
@example(sizes=[19, 20], partial_line=0, block_bytes=7)
def test_every_way_to_read_refuses_the_first_line_that_is_too_long(
    sizes: list[int], partial_line: int, block_bytes: int
) -> None:
    """Bytes come back as they are, whole or in lines, or the first long line is refused."""
    data = b"".join(b"x" * size + b"\n" for size in sizes) + b"x" * partial_line
    lines = data.splitlines(keepends=True)
    path = Path("log.jsonl")

    def in_lines(path: Path, file: BytesIO) -> bytes:
        return b"".join(
            b"\n".join([*lines, partial]) for _, lines, partial in scan.blocks(path, file)
        )

    with patch.multiple(scan, LINE_BYTES=20, BLOCK_BYTES=block_bytes):
        for read in (scan.read_remaining, in_lines):
            if max(map(len, lines), default=0) <= 20:
                assert read(path, BytesIO(data)) == data
                continue
            with pytest.raises(CorruptLog, match="of up to 20 bytes") as error:
                read(path, BytesIO(data))
            assert error.value.line == 1 + next(n for n, line in enumerate(lines) if len(line) > 20)


def test_a_file_with_a_hole_of_a_terabyte_is_corrupt(tmp_path: Path) -> None:
    """A file with a hole of a terabyte is corrupt at once, wherever the hole is."""
    events = match_events(at_random(random.Random(1)), SEED, "smallest_unique", 10, rounds=3)
    honest = sealed(events)
    head, tail = honest[: honest.index(b"\n") + 1], honest[honest.rindex(b"\n", 0, -1) + 1 :]
    for before, after in ((b"", b""), (head, b""), (head, tail)):
        with (tmp_path / "log.jsonl").open("wb") as file:
            file.write(before)
            file.truncate(1 << 40)
            file.seek(0, 2)
            file.write(after)
        assert verify(tmp_path / "log.jsonl").verdict == "corrupt"
