"""A log that is written, read and written again has the same bytes."""

from __future__ import annotations

import errno
import os
import random
import resource
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.coup import events
from schema import registry, scan
from schema.canonical import Event, line, lines
from schema.contest_events import CONTEST_EVENTS
from schema.errors import CorruptLog, GameError
from schema.events import (
    Answered,
    Fault,
    MatchFinished,
    MatchPlayed,
    TournamentFinished,
)
from schema.files import LINE_BYTES
from schema.reader import Log, parse, read
from schema.seal import hex_digest
from schema.writer import LINES, AppendOnlyFile, InUse, LogWriter, ResumeMismatch, WriteError
from tests.factories import SEED, at_random, loads, match_events, sealed
from tests.schema import samples, strategies

IN_A_MATCH = (Answered, Fault, MatchFinished, *events.EVENTS)
IN_A_TOURNAMENT = (MatchPlayed, TournamentFinished)
IN_A_CONTEST = CONTEST_EVENTS[1:-1]


def written(events: Sequence[Event]) -> bytes:
    """Return the bytes that the writer makes of ``events``, whose last is the seal."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        with LogWriter(path) as writer:
            for event in events:
                writer.write(event)
        return path.read_bytes()


def read_back(start: dict[str, Any], events: Sequence[Event]) -> Log:
    """Write a log of ``start`` and ``events`` with a seal that fits, and read it."""
    kind = start["type"].removesuffix("_started")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        with LogWriter(path) as writer:
            for event in (start, *events):
                writer.write(event)
            if "source" in start or kind == "contest":
                above = path_digest(writer)
                writer.write({"type": f"{kind}_sealed", "events": writer.events, "sha256": above})
            else:
                writer.seal(kind, SEED)
        log = read(path)
        assert written(log.events) == path.read_bytes()
    return log


def path_digest(writer: LogWriter) -> str:
    """Return the hash of the file's bytes so far."""
    writer.flush()
    return hex_digest(writer.path.read_bytes())


@given(st.integers(0, 2**32), st.integers(1, 60))
def test_a_match_reads_back_as_it_was_written(luck: int, calls: int) -> None:
    """The log of any match can be read, and writing its events again gives its bytes."""
    rng = random.Random(luck)
    seed = f"{rng.getrandbits(256):064x}"
    data = sealed(match_events(at_random(rng), seed, max_calls=calls), seed)
    log = parse(data, samples.PATH)
    assert log.seal["seed"] == seed
    assert written(log.events) == data


@pytest.mark.parametrize("model", IN_A_MATCH)
@given(st.data())
def test_every_event_of_a_match_reads_back(model: type, data: st.DataObject) -> None:
    """Any event that a match's models allow is read back unchanged."""
    event = data.draw(strategies.of_event(model, 2))
    log = read_back(samples.events()[0], [event])
    assert log.events[1] == event


@pytest.mark.parametrize("model", IN_A_TOURNAMENT)
@given(st.data())
def test_every_event_of_a_tournament_reads_back(model: type, data: st.DataObject) -> None:
    """Any event that a tournament's models allow is read back unchanged."""
    event = data.draw(strategies.of_event(model, 2))
    log = read_back(samples.tournament_events()[0], [event])
    assert log.events[1] == event


@pytest.mark.parametrize("model", IN_A_CONTEST)
@given(st.data())
def test_every_event_of_a_contest_reads_back(model: type, data: st.DataObject) -> None:
    """Any event that a contest's models allow is read back unchanged."""
    event = data.draw(strategies.of_event(model, 2))
    assert read_back(samples.contest_start(), [event]).events[1] == event


@pytest.mark.parametrize("pairings", [[[0, 0]], [[1, 0]], [[0, 2]], [[0, 1], [0, 1]], []], ids=str)
def test_pairings_are_pairs_of_entrants(pairings: list[list[int]]) -> None:
    """A tournament's log lists pairs of different entrants, each once and ascending, or none."""
    start = samples.tournament_events()[0]
    commitment = start.pop("seed_commitment")
    with pytest.raises(CorruptLog, match=r"1: pairings"):
        read_back(start | {"pairings": pairings, "seed_commitment": commitment}, [])


def test_a_tournament_of_all_lists_no_pairings() -> None:
    """The tournament of a game that is played by all bots at once lists no pairings."""
    card, start = registry.card("coins"), samples.tournament_events()[0]
    settings = card.settings({}).model_dump()
    start |= {"game": card.name, "rules": card.rules, "settings": settings}
    commitment = start.pop("seed_commitment")
    assert read_back(start | {"seed_commitment": commitment}, []).start["game"] == "coins"
    with pytest.raises(CorruptLog, match=r"1: pairings: expected none in a tournament of Coins"):
        read_back(start | {"pairings": [[0, 1]], "seed_commitment": commitment}, [])


@given(st.one_of(strategies.matches(), strategies.tournaments()))
def test_every_start_reads_back(start: dict[str, Any]) -> None:
    """A log may begin with any names, id and settings, played or imported."""
    log = read_back(start, [])
    assert log.start == start
    assert log.imported == ("source" in start)
    assert log.settings().model_dump() == start["settings"]


@given(st.data(), st.integers(0, 2**63 - 1))
def test_a_line_is_compact_json_with_its_number_first(data: st.DataObject, seq: int) -> None:
    """A line has one layout: seq first, keys in order, no spaces, one LF at the end."""
    event = data.draw(st.one_of(*(strategies.of_model(model) for model in IN_A_MATCH)))
    text = line(seq, event)
    assert list(orjson.loads(text)) == ["seq", *event]
    assert orjson.dumps(orjson.loads(text)) + b"\n" == text
    assert text.count(b"\n") == 1


TEXTS = st.text() | st.sampled_from(["%d", "%%", '{"type":', ',{"type":', "\n"])


@given(
    st.integers(0, 10**9),
    st.lists(st.tuples(TEXTS, st.dictionaries(TEXTS, st.lists(TEXTS))), min_size=1),
)
def test_lines_in_one_step_are_those_of_the_writer(
    first: int, made: list[tuple[str, dict[str, Any]]]
) -> None:
    """Any number of events gives the bytes of as many single lines, whatever their texts hold."""
    events = [{"type": type_} | fields for type_, fields in made if "type" not in fields]
    assume(events)
    each = [line(seq, event) for seq, event in enumerate(events, first)]
    assert lines(first, events) == b"".join(each)


def test_lines_in_one_step_hold_no_inner_objects_that_begin_with_a_type() -> None:
    """Several lines with such objects are refused; one is written well."""
    event = {"type": "round", "more": [{"type": 0}, {"type": 1}]}
    assert lines(7, [event]) == line(7, event)
    with pytest.raises(TypeError):
        lines(7, [event, event])


def test_the_seal_is_returned_and_counts_what_stands_above(tmp_path: Path) -> None:
    """Sealing returns the hash in the seal, which covers all bytes above."""
    with LogWriter(tmp_path / "log.jsonl") as writer:
        for event in samples.events():
            writer.write(event)
        digest = writer.seal("match", SEED)
    log = read(tmp_path / "log.jsonl")
    assert log.seal == {"type": "match_sealed", "seed": SEED, "events": 9, "sha256": digest}
    assert (tmp_path / "log.jsonl").read_bytes() == samples.whole()


def test_a_log_is_never_written_over(tmp_path: Path) -> None:
    """The writer refuses an existing file, and does not change it."""
    (tmp_path / "log.jsonl").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        LogWriter(tmp_path / "log.jsonl")
    assert (tmp_path / "log.jsonl").read_bytes() == b"mine"


def test_what_was_flushed_is_on_disk(tmp_path: Path) -> None:
    """After a flush other processes can read every event written so far."""
    with LogWriter(tmp_path / "log.jsonl") as writer:
        writer.write({"type": "dealt"})
        writer.flush()
        assert (tmp_path / "log.jsonl").read_bytes() == b'{"seq":0,"type":"dealt"}\n'


def test_lines_are_written_in_blocks(tmp_path: Path) -> None:
    """Lines wait in memory until there are 256; closing the log writes the others."""
    path = tmp_path / "log.jsonl"
    with LogWriter(path) as writer:
        for number in range(1, 2 * LINES + 2):
            writer.write({"type": "dealt"})
            assert path.read_bytes().count(b"\n") == number // LINES * LINES
    assert path.read_bytes().count(b"\n") == 2 * LINES + 1


def test_the_longest_line_is_written_and_read(tmp_path: Path) -> None:
    """A line of the maximum length can be read again; one byte more is not written."""
    path = tmp_path / "log.jsonl"
    text = "x" * (LINE_BYTES - len(line(0, {"type": ""})))
    with LogWriter(path) as writer:
        with pytest.raises(GameError, match=f"up to {LINE_BYTES} bytes, found {LINE_BYTES + 1}"):
            writer.write({"type": f"{text}x"})
        writer.write({"type": text})
    with AppendOnlyFile(path) as file:
        assert file.read_existing() == line(0, {"type": text})


def test_a_seal_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seal is synced, with the file's name once; with ``durable`` every flush is."""
    synced: list[int] = []

    def fsync(descriptor: int) -> None:
        status = os.fstat(descriptor)
        synced.append(-1 if stat.S_ISDIR(status.st_mode) else status.st_size)

    monkeypatch.setattr(os, "fsync", fsync)
    for durable, sync in (False, True), (False, False), (True, True):
        path = tmp_path / f"{durable}-{sync}.jsonl"
        with LogWriter(path, durable=durable) as writer:
            writer.write({"type": "match_started"})
            writer.flush()
            begun = path.stat().st_size
            assert synced == ([begun, -1] if durable else [])
            writer.seal("match", SEED, sync=sync)
            whole = path.stat().st_size
            assert whole > begun
            assert synced == ([begun, -1, whole, whole] if durable else [whole, -1] if sync else [])
            synced.clear()
            writer.sync()
            assert synced == ([whole] if sync else [whole, -1])
        synced.clear()


def test_a_resumed_log_without_a_new_line_is_unchanged(tmp_path: Path) -> None:
    """A partial line is removed by the first new line, and not before."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(samples.whole()[:-10])
    with LogWriter(path, again=True) as writer:
        writer.write(samples.events()[0])
        writer.flush()
    assert path.read_bytes() == samples.whole()[:-10]


def test_a_file_that_only_grows_has_the_rights_that_are_asked_for(tmp_path: Path) -> None:
    """A seed is for its owner alone."""
    with AppendOnlyFile(tmp_path / "seed", os.O_EXCL, 0o600) as file:
        file.append(b"5")
    assert (tmp_path / "seed").stat().st_mode & 0o777 == 0o600


def test_a_file_that_cannot_be_closed_is_named(tmp_path: Path) -> None:
    """Some file systems report only then that a disk is full."""
    file = AppendOnlyFile(tmp_path / "log")
    failed = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with patch.object(os, "close", side_effect=failed), pytest.raises(WriteError, match="log: "):
        file.close()
    file.close()


def test_a_log_in_a_folder_that_cannot_be_synced_is_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a file system that syncs files only, such as a shared folder of a virtual machine."""

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "fsync", fsync)
    with LogWriter(tmp_path / "log.jsonl") as writer:
        writer.write({"type": "match_started"})
        writer.seal("match", SEED)
    assert len(loads((tmp_path / "log.jsonl").read_bytes())) == 2


def test_a_file_that_cannot_be_locked_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a file system without locks, the error has the path of the log."""

    def no_lock(descriptor: int) -> bool:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("schema.writer.lock", no_lock)
    with pytest.raises(OSError, match="locks") as told, nothing_left_open():
        LogWriter(tmp_path / "log.jsonl")
    assert told.value.filename == str(tmp_path / "log.jsonl")


def test_a_log_that_is_refused_is_not_kept_open(tmp_path: Path) -> None:
    """Neither a log that another command writes, nor a damaged one, stays open or locked."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"damaged\n")
    with AppendOnlyFile(path), nothing_left_open(), pytest.raises(InUse):
        LogWriter(path, again=True)
    with nothing_left_open(), pytest.raises(CorruptLog):
        LogWriter(path, again=True)
    with AppendOnlyFile(path) as file:
        assert file.read_existing() == b"damaged\n"


@contextmanager
def nothing_left_open() -> Iterator[None]:
    """Check that the block leaves no descriptor open, whether or not it raises."""
    descriptors = Path("/proc/self/fd")
    before = sorted(descriptors.iterdir())
    try:
        yield
    finally:
        assert sorted(descriptors.iterdir()) == before


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Limit the size of files of this process to ``size`` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_said_and_the_lines_above_stand(tmp_path: Path) -> None:
    """If the disk is full, WriteError names the file, and flushed events are on disk."""
    path = tmp_path / "log.jsonl"
    with full_disk(100):
        writer = LogWriter(path)
        writer.write({"type": "dealt"})
        writer.flush()
        writer.write({"type": "x" * 200})
        with pytest.raises(
            WriteError, match=r"log\.jsonl: could not be written: .*valid.* needs a new log"
        ):
            writer.flush()
    assert path.read_bytes().startswith(b'{"seq":0,"type":"dealt"}\n')
    writer.close()


def test_a_full_disk_is_still_said_after_the_writer_is_closed(tmp_path: Path) -> None:
    """A full disk raises WriteError, not OSError, when the writer is closed."""

    def write_too_much() -> None:
        with LogWriter(tmp_path / "log.jsonl") as writer:
            writer.write({"type": "x" * 200})
            writer.flush()

    with full_disk(100), pytest.raises(WriteError):
        write_too_much()


def test_nothing_follows_a_partial_line(tmp_path: Path) -> None:
    """After a failed write nothing is written, until the file is opened again and read."""
    path = tmp_path / "log"
    with AppendOnlyFile(path) as file:
        file.append(b"first\n")
        with full_disk(10), pytest.raises(WriteError, match="too large"):
            file.append(b"second\n")
        with pytest.raises(WriteError, match="too large"):
            file.append(b"third\n")
        assert path.read_bytes() == b"first\nseco"
    with AppendOnlyFile(path) as file:
        assert file.read_existing() == b"first\nseco"
        file.append(b"third\n")
        file.append(b"fourth\n")
        assert file.read_existing() == path.read_bytes() == b"first\nthird\nfourth\n"


def test_nothing_follows_a_write_that_was_interrupted(tmp_path: Path) -> None:
    """After an interrupt between two writes of one line nothing is written either."""
    path, write = tmp_path / "log.jsonl", os.write

    def interrupted(descriptor: int, data: memoryview) -> int:
        if len(data) < 35:
            raise KeyboardInterrupt
        return write(descriptor, data[:10])

    with LogWriter(path) as writer:
        writer.write({"type": "x" * 20})
        with patch.object(os, "write", interrupted), pytest.raises(KeyboardInterrupt):
            writer.flush()
        writer.write({"type": "dealt"})
        with pytest.raises(WriteError, match="an earlier write was incomplete"):
            writer.flush()
        writer.write({"type": "dealt"})
    assert path.read_bytes() == b'{"seq":0,"'


@pytest.mark.parametrize(
    ("seq", "change", "shown"),
    [
        (2, {"type": "Answered"}, ('{"seq":2,"type":"Answered', '{"seq":2,"type":"answered')),
        (2, {"seat": 7}, ('"answered","seat":7,', '"answered","seat":0,')),
        (8, {"reason": "x"}, ('"reason":"x",', '"reason":"drawn"')),
    ],
)
def test_a_resumed_log_shows_its_first_difference(
    seq: int, change: dict[str, Any], shown: tuple[str, str], tmp_path: Path
) -> None:
    """The error has the line, and both texts from 20 bytes before the difference to 40 after."""
    events = samples.events()
    path = tmp_path / "log.jsonl"
    with LogWriter(path) as writer:
        for event in events:
            writer.write(event)
    before = path.read_bytes()
    new, old = (line(seq, {**events[seq], **fields}).decode() for fields in (change, {}))
    position = next(n for n in range(len(new)) if new[n] != old[n])
    texts = [text[max(0, position - 20) : position + 40] for text in (new, old)]
    with LogWriter(path, again=True) as writer:
        for event in events[:seq]:
            writer.write(event)
        with pytest.raises(ResumeMismatch) as error:
            writer.write({**events[seq], **change})
    assert error.value.line == seq + 1
    assert error.value.found == (
        f"expected {texts[0]!r}, found {texts[1]!r}: it was changed, or begun by another "
        "version of Koth or of its game, or a bot that failed does not fail again. Remove it to "
        "play the match again"
    )
    assert all(part in text for part, text in zip(shown, texts, strict=True))
    assert path.read_bytes() == before


@pytest.mark.parametrize("block", [1, scan.BLOCK_BYTES])
def test_the_first_line_after_a_seal_is_named(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may follow a seal, whether or not a block of lines ends with it."""
    monkeypatch.setattr(scan, "BLOCK_BYTES", block)
    data = sealed(match_events(at_random(random.Random(1)), SEED))
    count, end = data.count(b"\n"), loads(data)[-1]
    more = b"".join(line(count + n, end) for n in range(2))
    with pytest.raises(CorruptLog, match="nothing after the seal") as error:
        parse(data + more, Path("match.jsonl"))
    assert error.value.line == count + 1
