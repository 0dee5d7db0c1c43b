"""The quick way to ``verified``: do the rules, from this seed and these answers, write these bytes?

A log goes through in chunks. Of each the answers are taken, the rules run on, and what they emit is
written as a referee would write it and held against the bytes that are there. If all are the same,
up to the seal, then the log is in order line by line, and :mod:`replay.rerun` would find no
difference: it would have read these very events.

What goes into the rules is held against its model first, because the rules hand some of it on
unseen: all events that every game has, and the choices of joint answers. A game's other events are
not looked at: they are what the rules make them, or else the bytes differ.

Anything else is a doubt, and no verdict: :mod:`replay.verify` then reads and explains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import IO, Any

import orjson

from games.table import JointAsk, StopRules
from replay.driver import ReplayDriver
from replay.tournament_links import LogSummary
from schema import reader, seal
from schema.canonical import Event, line
from schema.files import LINE_BYTES, last_line, open_regular
from schema.log_path import LogPath

CHUNK = 16 * 1024
"""How many bytes are parsed at a time; with more or fewer it takes longer."""

BATCH = 256
"""How many events are written at a time, at most.

Of a package's game each is written at once: its rules might change what they have emitted.
"""

SEAL = re.compile(rb'\{"seq":\d+,"type":"(match|tournament)_sealed","seed":"([0-9a-f]{64})",.+\n')
"""A seal, as far as it takes to try its seed."""

LONGEST_SEAL = 300
"""More bytes than a seal has."""

TAKEN: dict[str, Any] = {}
"""What stands for an event that was handed over already."""

DIGITS = b"-0123456789"


class _Doubt(StopRules):
    """Only the strict reader can say what this log is."""


def verified(path: LogPath) -> LogSummary | None:
    """The ends of the log at ``path`` if it verifies; None if that is in doubt.

    A long match takes no more memory than a short one; a tournament, what its rules need.
    """
    try:
        with open_regular(path) as answers, open_regular(path) as lines:
            return _Quick(path, answers, lines).run()
    except Exception:  # whatever it is, the strict way comes upon it again, and can explain it
        return None


class _Quick(ReplayDriver):
    """One replay in progress.

    The log is read twice, side by side: for the answers, as far ahead of the rules as they ask, and
    line by line after them.
    """

    def __init__(self, path: LogPath, answers: IO[bytes], lines: IO[bytes]) -> None:
        self._answers, self._lines = answers, lines
        revealed = SEAL.fullmatch(last_line(answers, LONGEST_SEAL))
        if revealed is None:
            raise _Doubt
        answers.seek(0)
        first = answers.readline(LINE_BYTES)
        if lines.read(len(first)) != first:
            raise _Doubt
        log = reader.begun(first, path)
        kind, seed = revealed[1].decode(), revealed[2].decode()
        if (
            log.kind != kind
            or log.imported
            or log.start["seed_commitment"] != seal.commitment(seed)
        ):
            raise _Doubt
        if line(0, log.start) != first:  # it was lifted from an older format
            raise _Doubt
        super().__init__(log, seed)
        self._ends = LogSummary(kind, log.start, seed)
        self._hash = sha256(first)
        self._batch = BATCH if log.card.built_in else 1
        self._emitted: list[Event] = []
        """What the rules emitted, as far as it has not been compared."""
        self._first = 1
        """The ``seq`` of the first of these events."""
        self._events: list[dict[str, Any]] = []
        """The events that were read, from that ``seq`` on."""
        self._read = 1
        """How many events were read."""
        self._common = reader.common_types(kind)
        carriers = log.version.carriers
        self._carried = {one.event: one.field for one in carriers.values()}
        self._joint = {(name, one.event): one.field for name, one in carriers.items()}

    def run(self) -> LogSummary:
        self.drive_rules()
        self._compare()
        while self._read <= self._first:  # behind the last answer is how the match ended
            self._read_on()
        end = self._ends.seal = {
            "type": f"{self.log.kind}_sealed",
            "seed": self._ends.seed,
            "events": self._first,
            "sha256": self._hash.hexdigest(),
        }
        if self._lines.read(LONGEST_SEAL) != line(self._first, end):
            raise _Doubt
        return self._ends

    def drive_rules(self) -> None:
        """Drive the rules to their end; short where one event holds the answers of all seats."""
        answer = self.answers if self.log.kind == "match" else self.results
        send, events, emitted, joint = self._rules.send, self._events, self._emitted, self._joint
        with suppress(StopIteration):
            asked = next(self._rules)
            while True:
                if isinstance(asked, JointAsk):
                    try:
                        event = events[len(emitted)]
                        choices = event[joint[asked.name, event["type"]]]
                    except LookupError:  # none is left of what was read, or there are faults
                        pass
                    else:
                        asked = send(choices)
                        continue
                self.at = self._first + len(emitted)
                asked = send(answer(asked))

    def event(self, seq: int) -> Mapping[str, Any]:
        while seq - self._first >= len(self._events):
            self._compare()
            self._read_on()
        found = self._events[seq - self._first]
        if self.log.kind == "tournament":  # its rules take many results before they emit any
            self._events[seq - self._first] = TAKEN
        return found

    def take(self, event: Event, clause: str) -> None:
        self._emitted.append(event)
        if len(self._emitted) == self._batch:
            self._compare()

    def _compare(self) -> None:
        """Hold what the rules emitted against what is there."""
        if not (done := len(self._emitted)):
            return
        events = [{"seq": seq, **event} for seq, event in enumerate(self._emitted, self._first)]
        # What schema.canonical.line writes, in one step; if it were not, nothing would verify.
        lines = orjson.dumps(events)[1:-1].replace(b',{"seq":', b'\n{"seq":') + b"\n"
        if lines.count(b"\n") != done:  # some event holds objects that have a "seq"
            raise _Doubt
        if self._lines.read(len(lines)) != lines:
            raise _Doubt
        self._hash.update(lines)
        self._emitted.clear()
        del self._events[:done]
        self._first += done

    def _read_on(self) -> None:
        """Read another chunk of whole lines."""
        chunk = self._answers.read(CHUNK)
        if not chunk.endswith(b"\n"):
            chunk += self._answers.readline(LINE_BYTES)
        events = orjson.loads(b"[%b]" % chunk[:-1].replace(b"\n", b","))
        if not events:  # it is at its end, or has blank lines
            raise _Doubt
        self._check(events)
        self._events += events[max(0, self._first - self._read) :]
        self._read += len(events)

    def _check(self, events: list[Any]) -> None:
        """Hold against its model whatever the rules may hand on as they get it."""
        types = [event["type"] for event in events]
        for type_, field in self._carried.items():
            if type_ in types:
                _check_integers([event[field] for event in events if event["type"] == type_])
        if not self._common.isdisjoint(types):
            for seq, event in enumerate(events, self._read):
                if event["type"] in self._common:
                    del event["seq"]
                    reader.check(self.log, seq, event)
                    self._ends.add(seq, event)


def _check_integers(carried: list[Any]) -> None:
    """Hold what events carry as the answers of all seats against their model: integers."""
    text = orjson.dumps(carried)
    if (
        set(map(type, carried)) != {list}
        or text.count(b"[") != 1 + len(carried)  # no list is in one of them
        or text.translate(None, DIGITS + b"[,]")  # what else has only digits is an integer
    ):
        raise _Doubt
