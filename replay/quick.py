"""The quick way to ``verified``: do the rules, from this seed and these answers, write these bytes?

It is for the logs of matches. A log goes through in chunks. Of each the answers are taken, the
rules run on, and every event that they emit is written as a referee would write it and held against
the bytes that are there. If all are the same, up to the seal, then the log is in order line by
line, and :mod:`replay.rerun` would find no difference: it would have read these very events.

What goes into the rules is held against its model first, because the rules hand some of it on
unseen: all events that every game has, and the choices of joint answers. A game's other events are
not looked at: they are what the rules make them, or else the bytes differ.

Anything else is a doubt, and no verdict: :mod:`replay.verify` then reads and explains.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import chain
from typing import IO, Any

import orjson

from replay.answers import OutOfAnswers, Replay
from replay.chain import Ends
from schema import reader, seal
from schema.canonical import Event, line
from schema.errors import LogError
from schema.place import Place

CHUNK = 32 * 1024
"""How many bytes are parsed at a time; with more or fewer it takes longer."""

SEAL = re.compile(rb'\{"seq":\d+,"type":"match_sealed","seed":"([0-9a-f]{64})",[^\n]+\n')
"""A seal, as far as it takes to try its seed."""

LONGEST_SEAL = 300
"""More bytes than a seal has."""


class _Doubt(Exception):
    """Only the strict reader can say what this log is."""


def verified(path: Place) -> Ends | None:
    """The ends of the match log at ``path`` if it verifies; None if that is in doubt.

    A long log takes no more memory than a short one.
    """
    try:
        with path.open("rb") as file:
            return _Quick(path, file).run()
    except (
        _Doubt,
        OutOfAnswers,
        LogError,
        OSError,
        orjson.JSONDecodeError,
        orjson.JSONEncodeError,
    ):
        return None


class _Quick(Replay):
    """One replay in progress. It reads as far ahead of the rules as they ask."""

    def __init__(self, path: Place, file: IO[bytes]) -> None:
        self._file = file
        self._seal = _last_line(file)
        revealed = SEAL.fullmatch(self._seal)
        if revealed is None:
            raise _Doubt
        self._unread = file.tell() - len(self._seal)
        file.seek(0)
        first = file.readline()
        log = reader.begun(first, path)
        self._seed = revealed[1].decode()
        if (
            log.kind != "match"
            or log.imported
            or log.start["seed_commitment"] != seal.commitment(self._seed)
        ):
            raise _Doubt
        if line(0, log.start) != first:  # it was lifted from an older format
            raise _Doubt
        super().__init__(log, self._seed)
        self.at = 1
        self._unread -= len(first)
        self._hash = sha256(first)
        self._bytes = bytearray()
        self._place = 0  # in these bytes; what is before it has been compared
        self._events: list[dict[str, Any]] = []
        self._first = 1  # the seq of the first of these events
        self._common = reader.common_types("match")
        self._carried = {one.event: one.field for one in log.version.carriers.values()}
        self._faults: list[Mapping[str, Any]] = []

    def run(self) -> Ends:
        self.converse()
        end = {
            "type": "match_sealed",
            "seed": self._seed,
            "events": self.at,
            "sha256": self._hash.hexdigest(),
        }
        left = self._unread or len(self._bytes) - self._place
        if left or not self._events or line(self.at, end) != self._seal:
            raise _Doubt
        return Ends("match", self.log.start, self._events[-1], end, {}, self._faults)

    def event(self, seq: int) -> Mapping[str, Any]:
        try:
            return self._events[seq - self._first]
        except IndexError:
            self._read_on()
            return self.event(seq)

    def take(self, event: Event, clause: str) -> None:
        # What schema.canonical.line writes, in one step; if it were not, nothing would verify.
        expected = orjson.dumps({"seq": self.at, **event}, None, orjson.OPT_APPEND_NEWLINE)
        while not self._bytes.startswith(expected, self._place):
            if len(self._bytes) - self._place >= len(expected):
                raise _Doubt
            self._read_on()
        self._place += len(expected)
        self.at += 1

    def _read_on(self) -> None:
        """Read another chunk of whole lines; what was compared before is let go."""
        chunk = self._file.read(min(CHUNK, self._unread)) if self._unread > 0 else b""
        if not chunk:
            raise _Doubt
        if not chunk.endswith(b"\n"):
            chunk += self._file.readline()
        self._unread -= len(chunk)
        self._hash.update(chunk)
        del self._bytes[: self._place]
        self._bytes += chunk
        self._place = 0
        del self._events[: self.at - self._first]
        self._first = self.at
        events = orjson.loads(b"[%b]" % chunk[:-1].replace(b"\n", b","))
        if not events:
            raise _Doubt
        self._check(events, self._first + len(self._events))
        self._events += events

    def _check(self, events: list[Any], first: int) -> None:
        """Hold against its model whatever the rules may hand on as they get it."""
        try:
            types = {event["type"] for event in events}
            for type_, field in self._carried.items():
                if type_ in types:
                    _check_integers([event[field] for event in events if event["type"] == type_])
            if types & self._common:
                for seq, event in enumerate(events, first):
                    if event["type"] in self._common:
                        self._check_common(seq, event)
        except (KeyError, TypeError):  # of something that is no event
            raise _Doubt from None

    def _check_common(self, seq: int, event: dict[str, Any]) -> None:
        del event["seq"]
        reader.check(self.log, seq, event)
        if event["type"] == "fault":
            self._faults.append({"seat": event["seat"], "kind": event["kind"]})


def _check_integers(carried: list[Any]) -> None:
    """Hold what events carry as the answers of all seats against their model: integers."""
    if set(map(type, carried)) != {list} or set(map(type, chain.from_iterable(carried))) != {int}:
        raise _Doubt


def _last_line(file: IO[bytes]) -> bytes:
    """The last line, as much as a seal may have of it; ``file`` is at its end then."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - LONGEST_SEAL))
    tail = file.read()
    return tail[tail.rfind(b"\n", 0, -1) + 1 :]
