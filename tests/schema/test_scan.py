"""A long log is read from disk in blocks: the same events, in bounded memory."""

from __future__ import annotations

import random
from pathlib import Path
from unittest.mock import patch

import pytest

from replay.verify import verify
from schema import reader, scan
from schema.errors import CorruptLog, GameError
from schema.files import LINE_BYTES
from schema.writer import LogWriter
from tests.factories import SEED, at_random, match_events, sealed


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
        assert found[250:520:7] == held[250:520:7]
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
    with patch.multiple(scan, HELD_BYTES=100, BLOCK=50):
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
