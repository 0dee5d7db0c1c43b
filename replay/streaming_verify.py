"""Fast verification: re-run the rules and compare the bytes, in constant memory.

The log is read in chunks. The rules run with the seed of the seal and the answers of each chunk,
and the events that they emit are written as a referee would write them. If these bytes equal those
of the file, up to the seal, the log is ``verified``: :mod:`replay.rerun` would find no difference.

Equal bytes do not prove that an event has valid fields, because rules may copy parts of an answer
into their events. So faults, results of matches, and the choices in joint answers are checked
against their models first; of a package's game, all events. Other events come from the rules alone.

Every doubt ends this path without a verdict; :mod:`replay.verify` then reads the log strictly and
explains. A match takes constant memory, a tournament as much as its rules need.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from hashlib import sha256
from itertools import chain, islice
from typing import IO, Any

import orjson

from games.driving import StopRules
from games.recorded import read_reply
from games.table import JointAsk, MatchTable
from replay.driver import ReplayDriver
from replay.tournament_links import SUMMARIZED, LogSummary
from schema import reader, seal
from schema.canonical import Event, line, lines
from schema.choices import legal_integers
from schema.contract import SuppressFailures
from schema.files import LINE_BYTES, last_line, open_regular
from schema.log_path import LogPath
from schema.reader import Log

CHUNK = 8 * 1024
"""Bytes parsed at a time; less is slower, as is more where memory is returned at once (Dask)."""

BATCH = 256
"""Maximum number of events written at a time, unless more were read.

Events of a package's game are written one by one, because its rules might change an event after
they emitted it.
"""

SEAL = re.compile(rb'\{"seq":\d+,"type":"(match|tournament)_sealed","seed":"([0-9a-f]{64})",.+\n')
"""A seal, as far as needed to read its seed."""

RELEASED: dict[str, Any] = {}
"""Replaces an event that the rules have received, to free its memory."""

COPIED = frozenset({"fault", "match_played"})
"""The types of the events into which the rules of Koth's games copy values of the log."""


class _Doubt(StopRules):
    """Raised when only the strict reader can decide about this log."""


def verified(path: LogPath) -> LogSummary | None:
    """Return a summary of the log at ``path`` if it verifies, and None in every other case."""
    with SuppressFailures(), open_regular(path) as file, ExitStack() as stack:
        verification = _Verification(path, file)
        if verification.log.kind == "tournament":
            verification.compare_with(stack.enter_context(open_regular(path)))
        return verification.run()
    return None  # the strict reader meets the same error again, and explains it


class _Unseen(MatchTable[Any]):
    """The table of a match without bots that observe anything."""

    def show(self, observe: object, *args: object, **kwargs: object) -> Any:
        return None


class _Verification(ReplayDriver):
    """One verification in progress.

    It reads the file as far ahead as the rules ask for answers. It keeps the lines of a match until
    they are compared with the emitted events.
    """

    match_table = _Unseen

    def __init__(self, path: LogPath, file: IO[bytes]) -> None:
        log, first, seed = _read_ends(path, file)
        super().__init__(log, seed)
        self._file = file
        self._summary = LogSummary(log.kind, log.start, seed)
        self._hash = sha256(first)
        self._batch = 1
        self._emitted: list[Event] = []
        """Events of the rules that are not compared yet."""
        self._first = 1
        """The ``seq`` of the first of them."""
        self._events: list[dict[str, Any]] = []
        """Events read from the file, from that ``seq`` on."""
        self._lines = bytearray()
        """The lines of these events."""
        self._again: IO[bytes] | None = None
        """The same lines in the file, instead."""
        self._carriers = log.version.carriers
        self._carried = {carrier.event: carrier.field for carrier in self._carriers.values()}

    def compare_with(self, file: IO[bytes]) -> None:
        """Read all lines again in ``file`` to compare them, instead of keeping them.

        The rules of a tournament take all results before they emit an event.
        """
        file.readline()
        self._again = file

    def run(self) -> LogSummary:
        self._read_chunk()
        self.drive_rules()
        if self._emitted:
            self._compare()
        expected = self._summary.seal = {
            "type": f"{self.log.kind}_sealed",
            "seed": self._summary.seed,
            "events": self._first,
            "sha256": self._hash.hexdigest(),
        }
        while not self._events:
            self._read_chunk()
        if self._next_lines(seal.MAX_BYTES) != line(self._first, expected) or self._file.read(1):
            raise _Doubt
        return self._summary

    def drive_rules(self) -> None:
        """Run the rules to their end, with a short loop for events that carry joint answers."""
        answer = self.answer if self.log.kind == "match" else self.results
        send, events, emitted = self._rules.send, self._events, self._emitted
        one_part, protocol = self.log.kind == "match", self.log.card.protocol
        with suppress(StopIteration):
            request = next(self._rules)
            while True:
                if isinstance(request, JointAsk):
                    request = self._send_choices(request)
                elif one_part and len(request) == 1 and (position := len(emitted)) < len(events):
                    event = events[position]
                    if event["type"] == "answered":
                        request = send([read_reply(event, protocol)])
                        continue
                self.next_seq = self._first + len(emitted)
                request = send(answer(request))

    def _send_choices(self, question: JointAsk) -> Any:
        """Send choices of the lines read so far, while the rules ask the same question again.

        Returns the first request that is still to be answered.
        """
        if question.name not in self._carriers:
            return question
        carrier, legal = self._carriers[question.name], legal_integers(question.legal)
        type_, field, seats = carrier.event, carrier.field, len(self.table.players)
        send, emitted, request = self._rules.send, self._emitted, question
        for position, event in enumerate(islice(self._events, len(emitted), None), len(emitted)):
            if len(emitted) != position or event["type"] != type_:
                break  # bots failed here, or the rules emit more than the choices
            choices = event[field]
            if not legal.issuperset(choices) or len(choices) != seats:
                break
            request = send(choices)
            if request is not question:
                break
        return request

    def recorded_event(self, seq: int) -> Mapping[str, Any]:
        while seq - self._first >= len(self._events):
            if self._emitted:
                self._compare()
            else:
                self._read_chunk()
        event = self._events[seq - self._first]
        if self.log.kind == "tournament":  # its rules take many results before they emit any
            self._events[seq - self._first] = RELEASED
        return event

    def receive(self, event: Event, clause: str) -> None:
        self._emitted.append(event)
        if len(self._emitted) >= self._batch:
            self._compare()

    def _compare(self) -> None:
        """Compare the bytes of the emitted events with those of the file."""
        number = len(self._emitted)
        while len(self._events) < number:
            self._read_chunk()
        expected = lines(self._first, self._emitted)
        if self._next_lines(len(expected)) != expected:
            raise _Doubt
        self._hash.update(expected)
        if self.log.kind == "tournament":  # these events share their strings with the rules
            self._summarize(self._emitted)
        self._emitted.clear()
        del self._events[:number]
        self._first += number

    def _next_lines(self, size: int) -> bytes | bytearray:
        """Return the next bytes that are not compared yet: ``size``, or fewer."""
        if self._again is not None:
            return self._again.read(size)
        following = self._lines[:size]
        del self._lines[:size]
        return following

    def _read_chunk(self) -> None:
        """Read and check another chunk of whole lines."""
        chunk = self._file.read(CHUNK)
        if not chunk.endswith(b"\n"):
            chunk += self._file.readline(LINE_BYTES)
        events = orjson.loads(b"[%b]" % chunk[:-1].replace(b"\n", b","))
        if not events:  # the end of the file, or blank lines
            raise _Doubt
        self._check(events, chunk)
        if self._again is None:
            self._lines += chunk
        self._events += events
        if self.log.card.built_in:
            self._batch = BATCH if self._again else max(BATCH, len(self._events))

    def _check(self, events: list[Any], chunk: bytes) -> None:
        """Check all fields that rules may copy into their own events."""
        types = {event["type"] for event in events}
        # A legal choice in Koth's own games is a small integer. What equals it is one, too, unless
        # it is written with a point, or as true.
        if not self.log.card.built_in or b"." in chunk or b"true" in chunk:
            for type_ in self._carried.keys() & types:
                field = self._carried[type_]
                _check_integers([event[field] for event in events if event["type"] == type_])
        checked = COPIED if self.log.card.built_in else types
        if types.isdisjoint(checked | SUMMARIZED):
            return
        for seq, event in enumerate(events, self._first + len(self._events)):
            if event["type"] in checked:
                del event["seq"]
                reader.check_event(self.log, seq, event)
        if self.log.kind == "match":
            self._summarize(events)

    def _summarize(self, events: Iterable[Event]) -> None:
        for event in events:
            if event["type"] in SUMMARIZED:
                self._summary.add(event)


def _read_ends(path: LogPath, file: IO[bytes]) -> tuple[Log, bytes, str]:
    """Read the last and the first line of ``file``, and check the seed against its commitment.

    Returns the log with its first event only, the bytes of that line, and the seed.
    """
    last = SEAL.fullmatch(last_line(file, seal.MAX_BYTES))
    if last is None:
        raise _Doubt
    file.seek(0)
    first = file.readline(LINE_BYTES)
    log = reader.read_start(first, path)
    kind, seed = last[1].decode(), last[2].decode()
    if log.kind != kind or log.imported or log.start["seed_commitment"] != seal.commitment(seed):
        raise _Doubt
    if line(0, log.start) != first:  # the reader converted it from an older format
        raise _Doubt
    return log, first, seed


def _check_integers(lists: list[Any]) -> None:
    """Raise _Doubt unless each item is a list of integers."""
    if set(map(type, lists)) != {list} or {*map(type, chain.from_iterable(lists))} - {int}:
        raise _Doubt
