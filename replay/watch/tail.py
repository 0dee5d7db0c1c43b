"""Reads a log while it is written: each event once, as soon as its line is whole."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from games.narration import Narrator
from replay.state import check_seq
from replay.watch import lines
from schema import reader
from schema.canonical import Event
from schema.errors import CorruptLog
from schema.files import open_regular
from schema.log_path import LogPath
from schema.reader import Log
from schema.scan import SEALS, blocks, parse_block

SECONDS = 0.3
"""Seconds between two looks at a log that is being written."""

Wait = Callable[[], None]
"""Called when there is nothing new; returns when it is time to look again."""


def pause() -> None:
    """Wait for ``SECONDS``."""
    time.sleep(SECONDS)


class Tail:
    """The events of a growing log so far.

    The first line is validated as a whole; of the others, the layout (:mod:`schema.scan`).
    """

    def __init__(self, path: LogPath) -> None:
        self.path = path
        self.log: Log | None = None
        """The log with all events so far; None before its first line is whole."""
        self._events: list[Event] = []
        self._end = 0
        """Bytes of the whole lines so far."""

    @property
    def sealed(self) -> bool:
        """Whether the log is sealed, so that nothing follows."""
        return bool(self._events) and self._events[-1]["type"] in SEALS

    def poll(self) -> list[Event]:
        """Return the events that were appended since the last call, and take them into ``log``.

        A partial last line is left for later. Raises OSError, and a LogError for a file that is no
        log or was shortened.
        """
        seen = len(self._events)
        with open_regular(self.path) as file:
            if file.seek(0, os.SEEK_END) < self._end:
                raise CorruptLog(self.path, seen, "expected more lines, found a shorter file")
            file.seek(self._end)
            for first, whole, _ in blocks(self.path, file, seen):
                if not whole:
                    continue
                if self.log is None:
                    self.log = replace(
                        reader.read_start(whole[0] + b"\n", self.path), events=self._events
                    )
                events = parse_block(self.path, first, whole)
                for event in events:
                    del event["seq"]
                self._events += events
                self._end += sum(map(len, whole)) + len(whole)
        return self._events[seen:]


def follow(path: LogPath, wait: Wait = pause, at: int = 0) -> Iterator[str]:
    """Yield each event of a growing log in a line, with its sentence; end when it is sealed.

    The first event is ``at``. Raises NoSuchEvent if the log is sealed without it, and what
    :meth:`Tail.poll` raises.
    """
    tail, narrate, seq = Tail(path), None, 0
    while not tail.sealed:
        events = tail.poll()
        for event in events:
            if narrate is None and tail.log is not None:
                narrate = Narrator(tail.log.card, tail.log.start)
            assert narrate is not None
            if seq >= at:
                yield lines.event_line(seq, event, narrate(event)).text
            seq += 1
        if not events:
            wait()
    if tail.log is not None:
        check_seq(tail.log, at)


def wait_for_start(path: LogPath) -> None:
    """Return when the first line of the log at ``path`` is whole."""
    tail = Tail(path)
    while not tail.poll():
        pause()
