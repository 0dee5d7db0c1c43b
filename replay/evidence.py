"""Evidence: what the referee noted beside a log, which no replay can check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson

from games.recorded import ANSWERS
from schema import discovery
from schema.canonical import Event
from schema.errors import LogError
from schema.files import LINE_BYTES, open_regular
from schema.log_path import LogPath

Note = dict[str, Any]
Notes = Mapping[str, Sequence[Note]]
"""Notes by ``seq`` as text; those on the match as a whole are under ``"None"``."""

PLACE = ("seq", "seat", "ask")
"""The fields that say what a note is about."""


def notes(log: LogPath) -> Notes:
    """The evidence beside the log at this place; what cannot be read is left out."""
    found = defaultdict(list)
    with suppress(OSError, LogError), open_regular(discovery.evidence(log)) as file:
        while 0 < len(line := file.readline(LINE_BYTES)) < LINE_BYTES:
            with suppress(orjson.JSONDecodeError):
                note = orjson.loads(line)
                if isinstance(note, dict):
                    found[str(note.get("seq"))].append(note)
    return found


def note(notes: Notes, events: Sequence[Event], seq: int) -> Note | None:
    """The note on the answer or fault that is event ``seq``, if there is one.

    A question to several seats at once has one ``seq`` in the evidence: that of the first reply.
    """
    seat = events[seq].get("seat")
    for at in range(seq, -1, -1):
        if at < seq and (events[at]["type"] not in ANSWERS or events[at].get("seat") == seat):
            break
        for found in notes.get(str(at), ()):
            if seat is None or found.get("seat", seat) == seat:
                return dict(found)
    return None
