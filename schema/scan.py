"""One pass over the bytes of a log: lines, sequence, ends and seal; no event model is needed.

It takes the memory of one block of lines, however long the log is. The events of a long log stay
on disk and are parsed again, block by block, when somebody needs them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import IO, Any, overload

import orjson

from schema.canonical import Event
from schema.errors import CorruptLog
from schema.files import LINE_BYTES, open_regular
from schema.log_path import LogPath

STARTS = {"match_started": "match", "tournament_started": "tournament"}
SEALS = {"match_sealed": "match", "tournament_sealed": "tournament"}

BLOCK = 256
"""Maximum lines that are parsed at a time."""
BLOCK_BYTES = 1 << 20
"""A block is closed once it holds as many bytes."""
HELD_BYTES = 16 << 20
"""Maximum bytes of a log whose events are kept in memory; those of a longer one stay on disk."""

Opened = Callable[[], IO[bytes]]
"""Opens the log, at its beginning."""


def shown(value: object) -> str:
    """A value out of a log, short enough for a message."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


@dataclass
class Scan:
    """What one pass over a log shows."""

    path: LogPath
    partial_line: int = 0
    """Bytes of a last line without its LF."""
    sealed: bool = False
    first: dict[str, Any] = field(default_factory=dict)
    """The first line, as an object; empty if there is none."""
    events: Sequence[Event] = ()
    """Every whole line as an object without its ``seq``."""


def scan(path: LogPath, opened: Opened) -> Scan:
    """Read a log line by line. Raises CorruptLog for the first thing that is wrong, and OSError."""
    run = _Run(path, opened)
    file = opened()
    try:
        run.read(file)
    finally:
        file.close()
    return run.finished()


def blocks(path: LogPath, file: IO[bytes]) -> Iterator[tuple[int, list[bytes], bytes]]:
    """The lines of a file in blocks: the number of the first, from 0, the lines, the torn tail.

    Only the last block has a torn tail. Raises CorruptLog for a line that is too long.
    """
    first, size, lines = 0, 0, list[bytes]()
    while line := file.readline(LINE_BYTES + 1):
        if len(line) > LINE_BYTES:
            expected = f"expected lines of up to {LINE_BYTES} bytes, found a longer one"
            raise CorruptLog(path, first + len(lines) + 1, expected)
        if not line.endswith(b"\n"):
            yield first, lines, line
            return
        lines.append(line[:-1])
        size += len(line)
        if len(lines) == BLOCK or size >= BLOCK_BYTES:
            yield first, lines, b""
            first, size, lines = first + len(lines), 0, []
    yield first, lines, b""


def content(path: LogPath) -> bytes:
    """Return the bytes of a log, or of another file of lines, on disk or in a bundle.

    Raises CorruptLog for a line that is too long, as the hole in a sparse file is, and OSError.
    """
    with open_regular(path) as file:
        return rest(path, file)


def rest(path: LogPath, file: IO[bytes]) -> bytes:
    """Return what is left of an open file of lines. Raises CorruptLog as :func:`content` does."""
    return b"".join(
        b"\n".join([*lines, partial_line]) for _, lines, partial_line in blocks(path, file)
    )


class _Run:
    """A pass in progress."""

    def __init__(self, path: LogPath, opened: Opened) -> None:
        self.path, self.opened = path, opened
        self.count = self.size = 0
        """Whole lines, and their bytes, so far."""
        self.partial_line = b""
        self.misplaced: CorruptLog | None = None
        """The first start or seal that is in the wrong place."""
        self.first: dict[str, Any] = {}
        self.last: dict[str, Any] = {}
        self._last_line = b""
        self._hash = sha256()
        """Of all lines above the last one."""
        self._held: list[Event] | None = []
        self._marks: list[_Mark] = []

    def read(self, file: IO[bytes]) -> None:
        """Take every line."""
        for first, lines, partial_line in blocks(self.path, file):
            objects = parse_block(self.path, first, lines)
            self.partial_line = partial_line
            if objects:
                self._take(first, lines, objects)

    def _take(self, first: int, lines: list[bytes], objects: list[dict[str, Any]]) -> None:
        self._check_places(first, objects)
        self.first = self.first or dict(objects[0])
        self.last = dict(objects[-1])
        text = b"\n".join([*lines, b""])
        last = len(text) - len(lines[-1]) - 1
        self._hash.update(self._last_line + text[:last])
        self._last_line = text[last:]
        self._marks.append(_Mark(first, self.size, len(text), sha256(text).digest()))
        self.count += len(lines)
        self.size += len(text)
        if self.size > HELD_BYTES:
            self._held = None
        elif self._held is not None:
            for event in objects:
                del event["seq"]
            self._held += objects

    def _check_places(self, first: int, objects: list[dict[str, Any]]) -> None:
        """Find starts below the first line, and anything after a seal."""
        for seq, event in enumerate(objects, first):
            if self.misplaced is not None:
                return
            if self.last.get("type") in SEALS and seq == first:
                self._after_seal(seq)
            elif (event["type"] in STARTS) != (seq == 0):
                expected = "the start of a log" if seq == 0 else "an event of the log begun above"
                found = f"expected {expected}, found {shown(event['type'])}"
                self.misplaced = CorruptLog(self.path, seq + 1, found)
            elif event["type"] in SEALS and event is not objects[-1]:
                self._after_seal(seq + 1)

    def _after_seal(self, seq: int) -> None:
        found = "expected nothing after the seal, found more"
        self.misplaced = CorruptLog(self.path, seq + 1, found)

    def finished(self) -> Scan:
        """What all of the lines show together."""
        path, kind = self.path, self.last.get("type")
        if self.partial_line and kind in SEALS and self.misplaced is None:
            self._after_seal(self.count)
        if self.misplaced is not None:
            raise self.misplaced
        expected = b'{"seq":%d,"type":"' % self.count
        if not self.partial_line.startswith(expected[: len(self.partial_line)]):
            raise CorruptLog(path, self.count + 1, f"expected event {self.count}, found garbage")
        sealed = kind in SEALS
        if sealed:
            self._check_seal()
        held = self._held
        events = OnDisk(path, self.opened, self._marks, self.count) if held is None else held
        return Scan(path, len(self.partial_line), sealed, self.first, events)

    def _check_seal(self) -> None:
        if SEALS[self.last["type"]] != STARTS[self.first["type"]]:
            raise CorruptLog(self.path, self.count, "expected the seal of the log begun above")
        for key, actual in (("events", self.count - 1), ("sha256", self._hash.hexdigest())):
            if self.last.get(key) != actual:
                raise CorruptLog(
                    self.path,
                    self.count,
                    f"the seal says {key} {shown(self.last.get(key))}, the bytes give {actual!r}: "
                    "the log was changed after it was sealed",
                )


def parse_block(path: LogPath, first: int, lines: list[bytes]) -> list[dict[str, Any]]:
    """The events in ``lines``, of which the first is event ``first``. Raises CorruptLog.

    Parsed at once if all is well; else line by line, to say where it is not.
    """
    try:
        found: list[Any] = orjson.loads(b"[%b]" % b",".join(lines))
        if [orjson.dumps(one) for one in found] == lines and all(
            line.startswith(b'{"seq":%d,"type":"' % seq) for seq, line in enumerate(lines, first)
        ):
            return found
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        pass
    return [_object(path, seq, text) for seq, text in enumerate(lines, first)]


def _object(path: LogPath, seq: int, text: bytes) -> dict[str, Any]:
    try:
        text.decode()
        found = orjson.loads(text)
    except UnicodeDecodeError as error:
        byte = f"{text[error.start]:#04x} as byte {error.start + 1} of the line"
        raise CorruptLog(path, seq + 1, f"expected text in UTF-8, found {byte}") from None
    except orjson.JSONDecodeError as error:
        raise CorruptLog(path, seq + 1, f"expected a JSON object, found {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("type"), str):
        raise CorruptLog(path, seq + 1, 'expected an event with a "type", found something else')
    if type(found.get("seq")) is not int or found["seq"] != seq:
        raise CorruptLog(path, seq + 1, f"expected seq {seq}, found {shown(found.get('seq'))}")
    if not _is_canonical(found, text):
        expected = "the byte layout of a log (seq and type first, no white space, LF)"
        raise CorruptLog(path, seq + 1, f"expected {expected}, found another")
    return found


def _is_canonical(found: dict[str, Any], text: bytes) -> bool:
    try:
        return list(found)[:2] == ["seq", "type"] and orjson.dumps(found) == text
    except orjson.JSONEncodeError:  # nested deeper than the writer goes
        return False


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a block of lines is in the file."""

    first: int
    """The number of its first line."""
    start: int
    size: int
    digest: bytes


class OnDisk(Sequence[Event]):
    """The events of a long log, parsed when they are needed; a few blocks of them are kept.

    Raises CorruptLog when the file is another one by then, and OSError.
    """

    def __init__(self, path: LogPath, opened: Opened, marks: Sequence[_Mark], count: int) -> None:
        self._path, self._marks, self._count = path, marks, count
        self._file = opened()
        self._block = lru_cache(maxsize=4)(self._read)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, seq: int) -> Event: ...

    @overload
    def __getitem__(self, seq: slice) -> list[Event]: ...

    def __getitem__(self, seq: int | slice) -> Event | list[Event]:
        if isinstance(seq, slice):
            return [self[one] for one in range(*seq.indices(self._count))]
        at = range(self._count)[seq]
        number = bisect_right(self._marks, at, key=lambda mark: mark.first) - 1
        return self._block(number)[at - self._marks[number].first]

    def __iter__(self) -> Iterator[Event]:
        for number in range(len(self._marks)):
            yield from self._block(number)

    def _read(self, number: int) -> list[Event]:
        mark = self._marks[number]
        self._file.seek(mark.start)
        text = self._file.read(mark.size)
        if sha256(text).digest() != mark.digest:
            raise CorruptLog(self._path, mark.first + 1, "it was changed while it was read")
        events: list[dict[str, Any]] = orjson.loads(b"[%b]" % text[:-1].replace(b"\n", b","))
        for event in events:
            del event["seq"]
        return list(events)
