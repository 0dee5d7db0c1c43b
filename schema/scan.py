"""Scan the bytes of a log once: lines, sequence, first event and seal, without event models.

A scan needs the memory of one block of lines, even for a long log. The events of a long log stay
on disk and are parsed again, block by block, on access.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import IO, Any, overload

import orjson

from schema.canonical import Event
from schema.errors import CorruptLog
from schema.files import LINE_BYTES, open_regular
from schema.log_path import LogPath
from schema.words import counted

STARTS = {f"{kind}_started": kind for kind in ("match", "tournament", "contest")}
SEALS = {f"{kind}_sealed": kind for kind in ("match", "tournament", "contest")}

BLOCK_BYTES = 1 << 16
"""Bytes of a file that are read at a time; the lines that end in them are a block."""
HELD_BYTES = 16 << 20
"""Maximum bytes of a log whose events are kept in memory; those of a longer one stay on disk."""

OTHER_FILES = {
    b"\x1f\x8b": "a gzip file. Unpack it first",
    b"PK\x03\x04": "a zip file. Unpack it first",
    b"\xff\xfe": "UTF-16, as PowerShell writes it. Take an unchanged copy of the log",
    b"\xfe\xff": "UTF-16. Take an unchanged copy of the log",
    b"\xef\xbb\xbf": "a byte order mark, as editors add it. Take an unchanged copy of the log",
    b"<": "HTML or XML. Download the raw log instead of a page",
    b"c2sp.org/tlog-proof@": "the proof of a log. Verify the log, and give the proof with it",
    b"old ": "a proof that one checkpoint extends another. Give the older one with --since",
}
"""Beginnings of files that people take for logs: what they are, and what to do."""

Opened = Callable[[], IO[bytes]]
"""Opens the log at its beginning."""


def short_repr(value: object) -> str:
    """Return a value of a log as text of up to 80 characters, for a message."""
    if value is None or isinstance(value, bool):
        return orjson.dumps(value).decode()
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


@dataclass
class Scan:
    """The result of one pass over a log."""

    path: LogPath
    partial_line: int = 0
    """Bytes of a last line without its LF."""
    sealed: bool = False
    first: dict[str, Any] = field(default_factory=dict)
    """The first line as an object; empty if the log has no lines."""
    events: Sequence[Event] = ()
    """Every complete line as an object without its ``seq``."""


def scan(path: LogPath, opened: Opened) -> Scan:
    """Scan a log. Raises CorruptLog for the first error, and OSError."""
    run = _Run(path, opened)
    with opened() as file:
        run.read(file)
    return run.result()


def blocks(
    path: LogPath, file: IO[bytes], first: int = 0
) -> Iterator[tuple[int, list[bytes], bytes]]:
    """Yield the lines of a file in blocks: number of the first line, lines, partial line.

    ``first`` is the number of the line at which the file is open, from 0. Only the last block can
    have a partial line. Raises CorruptLog for a line that is too long.
    """
    partial_line = b""
    while part := file.read(max(BLOCK_BYTES, len(partial_line))):
        *lines, partial_line = (partial_line + part).split(b"\n")
        size = len(lines[0]) + 1 if lines else len(partial_line)  # of the line in several parts
        if size > LINE_BYTES:
            raise _too_long(path, first)
        if lines:
            yield first, lines, b""
            first += len(lines)
    yield first, [], partial_line


def _too_long(path: LogPath, seq: int) -> CorruptLog:
    expected = f"expected lines of up to {LINE_BYTES} bytes, found a longer one"
    return CorruptLog(path, seq + 1, expected)


def read_log_bytes(path: LogPath) -> bytes:
    """Return the bytes of a log, or of another file of lines, on disk or in a bundle.

    Raises OSError, and CorruptLog for a line that is too long, such as the hole in a sparse file.
    """
    with open_regular(path) as file:
        return read_remaining(path, file)


def read_remaining(path: LogPath, file: IO[bytes]) -> bytes:
    """Return the rest of an open file of lines. Raises as :func:`read_log_bytes` does."""
    parts, partial_line = list[bytes](), 0  # bytes since the last LF
    while part := file.read(BLOCK_BYTES):
        if partial_line + (part.find(b"\n") + 1 or len(part)) > LINE_BYTES:
            raise _too_long(path, sum(before.count(b"\n") for before in parts))
        last = part.rfind(b"\n")
        partial_line = len(part) - last - 1 + (partial_line if last < 0 else 0)
        parts.append(part)
    return b"".join(parts)


class _Run:
    """A pass in progress."""

    def __init__(self, path: LogPath, opened: Opened) -> None:
        self.path, self.opened = path, opened
        self.count = self.size = 0
        """Complete lines, and their bytes, so far."""
        self.partial_line = b""
        self.misplaced: CorruptLog | None = None
        """The error for the first start or seal in the wrong line."""
        self.first: dict[str, Any] = {}
        self.last: dict[str, Any] = {}
        self._last_line = b""
        self._hash = sha256()
        """The hash of all lines above the last one."""
        self._held: list[Event] = []
        """The events; none of a log that is too long to keep them."""
        self._marks: list[_Mark] = []

    def read(self, file: IO[bytes]) -> None:
        """Read and check every line."""
        for first, lines, partial_line in blocks(self.path, file):
            objects = parse_block(self.path, first, lines)
            self.partial_line = partial_line
            if objects:
                self._add(first, lines, objects)

    def _add(self, first: int, lines: list[bytes], objects: list[dict[str, Any]]) -> None:
        self._check_order(first, objects)
        self.first = self.first or dict(objects[0])
        self.last = objects[-1]
        text = b"\n".join([*lines, b""])
        last = len(text) - len(lines[-1]) - 1
        self._hash.update(self._last_line + text[:last])
        self._last_line = text[last:]
        self._marks.append(_Mark(first, self.size, len(text), sha256(text).digest()))
        self.count += len(lines)
        self.size += len(text)
        if self.size > HELD_BYTES:
            self._held = []
        else:
            for event in objects:
                del event["seq"]
            self._held += objects

    def _check_order(self, first: int, objects: list[dict[str, Any]]) -> None:
        """Find starts after the first line, and lines after a seal."""
        for seq, event in enumerate(objects, first):
            if self.misplaced is not None:
                return
            if self.last.get("type") in SEALS:
                self._after_seal(seq)
            elif (event["type"] in STARTS) != (seq == 0):
                expected = "the start of a log" if seq == 0 else "an event of the log begun above"
                found = f"expected {expected}, found {short_repr(event['type'])}"
                self.misplaced = CorruptLog(self.path, seq + 1, found)
            elif event["type"] in SEALS and event is not objects[-1]:
                self._after_seal(seq + 1)

    def _after_seal(self, seq: int) -> None:
        found = "expected nothing after the seal, found more"
        self.misplaced = CorruptLog(self.path, seq + 1, found)

    def result(self) -> Scan:
        """Return the result after the last line. Raises CorruptLog."""
        path, kind = self.path, self.last.get("type")
        if self.partial_line and kind in SEALS and self.misplaced is None:
            self._after_seal(self.count)
        if self.misplaced is not None:
            raise self.misplaced
        expected = b'{"seq":%d,"type":"' % self.count
        if not self.partial_line.startswith(expected[: len(self.partial_line)]):
            found = _garbage(self.partial_line)
            raise CorruptLog(path, self.count + 1, f"expected event {self.count}, found {found}")
        sealed = kind in SEALS
        if sealed:
            self._check_seal()
        events: Sequence[Event] = self._held
        if self.size > HELD_BYTES:
            events = OnDisk(path, self.opened, self._marks, self.count)
        return Scan(path, len(self.partial_line), sealed, self.first, events)

    def _check_seal(self) -> None:
        if SEALS[self.last["type"]] != STARTS[self.first["type"]]:
            raise CorruptLog(self.path, self.count, "expected the seal of the log begun above")
        for key, actual in (("events", self.count - 1), ("sha256", self._hash.hexdigest())):
            if self.last.get(key) != actual:
                difference = f"{key} {short_repr(self.last.get(key))}, the bytes give {actual!r}"
                problem = f"the seal says {difference}: the log was changed after it was sealed"
                raise CorruptLog(self.path, self.count, problem)


def parse_block(path: LogPath, first: int, lines: list[bytes]) -> list[dict[str, Any]]:
    """Return the events in ``lines``, the first of which has the number ``first``.

    A valid block is parsed at once; the other ones line by line, to find the error. Raises
    CorruptLog.
    """
    try:
        events: list[Any] = orjson.loads(b"[%b]" % b",".join(lines))
        if [orjson.dumps(event) for event in events] == lines and all(
            line.startswith(b'{"seq":%d,"type":"' % seq) for seq, line in enumerate(lines, first)
        ):
            return events
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        pass
    return [_object(path, seq, text) for seq, text in enumerate(lines, first)]


def _object(path: LogPath, seq: int, text: bytes) -> dict[str, Any]:
    """Return the event in one line. Raises CorruptLog that says what is wrong with it."""
    try:
        text.decode()
        event = orjson.loads(text)
    except UnicodeDecodeError as error:
        byte = f"{text[error.start]:#04x} as byte {error.start + 1} of the line"
        found = _other_file(seq, text) or byte
        raise CorruptLog(path, seq + 1, f"expected text in UTF-8, found {found}") from None
    except orjson.JSONDecodeError as error:
        no_json = f"text that is no JSON: {error.msg} (column {error.colno})"
        found = _other_file(seq, text) or (no_json if text else "an empty line")
        raise CorruptLog(path, seq + 1, f"expected a JSON object, found {found}") from None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        found = _other_format(event) or "something else"
        raise CorruptLog(path, seq + 1, f'expected an event with a "type", found {found}')
    if type(event.get("seq")) is not int or event["seq"] != seq:
        found = short_repr(event["seq"]) if "seq" in event else "none"
        raise CorruptLog(path, seq + 1, f"expected seq {seq}, found {found}")
    if not _is_canonical(event, text):
        expected = "the byte layout of a log (seq and type first, no white space, LF)"
        windows = "CR LF, as Git or a transfer to Windows may make of LF"
        found = windows if text.endswith(b"\r") else "another"
        raise CorruptLog(path, seq + 1, f"expected {expected}, found {found}")
    return event


def _garbage(line: bytes) -> str:
    """Return what a last line without LF is that begins no event."""
    if line.strip(b"\0"):
        return "garbage"
    zeros = counted(len(line), "zero byte")
    return f"{zeros}, as a power cut may leave (`truncate -s -{len(line)}` removes them)"


def _other_file(seq: int, text: bytes) -> str:
    """Return what kind of file begins with this line, and what to do; empty if that is unknown."""
    if seq == 0:
        for start, found in OTHER_FILES.items():
            if text.startswith(start):
                return found
    return ""


def _other_format(value: object) -> str:
    """Return the format that a line names, such as evidence or a result of Koth; empty if none."""
    if isinstance(value, dict) and isinstance(value.get("format"), str):
        return f"a file of the format {short_repr(value['format'])}"
    return ""


def _is_canonical(event: dict[str, Any], text: bytes) -> bool:
    """Return whether ``text`` is the line that the writer would write for ``event``."""
    try:
        return list(event)[:2] == ["seq", "type"] and orjson.dumps(event) == text
    except orjson.JSONEncodeError:  # nested deeper than the writer goes
        return False


@dataclass(frozen=True, slots=True)
class _Mark:
    """The position of a block of lines in the file."""

    first: int
    """The number of the first line."""
    start: int
    size: int
    digest: bytes


class OnDisk(Sequence[Event]):
    """The events of a long log, parsed on access; a few blocks are cached.

    A slice stays on disk, too. Access raises OSError, and CorruptLog if the file has changed since
    the scan.
    """

    def __init__(self, path: LogPath, opened: Opened, marks: Sequence[_Mark], count: int) -> None:
        self._path, self._marks, self._numbers = path, marks, range(count)
        self._file = opened()
        self._block = lru_cache(maxsize=4)(self._read)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, seq: int) -> Event: ...

    @overload
    def __getitem__(self, seq: slice) -> OnDisk: ...

    def __getitem__(self, seq: int | slice) -> Event | OnDisk:
        if isinstance(seq, slice):
            part = copy(self)
            part._numbers = self._numbers[seq]
            return part
        number = self._numbers[seq]
        first, block = self._block_with(number)
        return block[number - first]

    def __iter__(self) -> Iterator[Event]:
        first, block = 0, list[Event]()
        for number in self._numbers:
            if not 0 <= number - first < len(block):
                first, block = self._block_with(number)
            yield block[number - first]

    def _block_with(self, number: int) -> tuple[int, list[Event]]:
        """Return the block with an event: the number of its first event, and its events."""
        at = bisect_right(self._marks, number, key=lambda mark: mark.first) - 1
        return self._marks[at].first, self._block(at)

    def _read(self, number: int) -> list[Event]:
        """Return the events of one block."""
        mark = self._marks[number]
        self._file.seek(mark.start)
        text = self._file.read(mark.size)
        if sha256(text).digest() != mark.digest:
            raise CorruptLog(self._path, mark.first + 1, "it was changed while it was read")
        events: list[dict[str, Any]] = orjson.loads(b"[%b]" % text[:-1].replace(b"\n", b","))
        for event in events:
            del event["seq"]
        return list(events)
