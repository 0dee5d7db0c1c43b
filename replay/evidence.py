"""Evidence: the referee's notes in a file beside the log, which no replay can check."""

from __future__ import annotations

from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson

from games.recorded import ANSWERS
from schema import discovery
from schema.canonical import Event
from schema.files import LINE_BYTES, open_regular
from schema.log_path import LogPath
from schema.system_errors import leaving_out_unreadable

Note = dict[str, Any]
Notes = Mapping[str, Sequence[Note]]
"""Notes by ``seq`` as text; notes on the whole match are under ``"None"``."""

SUBJECT = ("seq", "seat", "ask")
"""The fields that name the answer which a note is about."""

LONGEST = 200
"""Maximum characters that are shown of the partial output of a bot that was stopped."""

LEVELS = 16
"""Maximum nested levels of a note, of which the referee writes two; orjson writes a few hundred."""


def notes(log: LogPath) -> Notes:
    """Return the evidence beside ``log``; unreadable files and lines are left out.

    So are notes on answers that an interruption lost before they were recorded, if the resumed
    match has notes on the answers in their place.
    """
    runs: list[list[Note]] = [[]]
    with leaving_out_unreadable(), open_regular(discovery.evidence(log)) as file:
        while 0 < len(line := file.readline(LINE_BYTES + 1)) <= LINE_BYTES:
            with suppress(orjson.JSONDecodeError):
                note = orjson.loads(line)
                if isinstance(note, dict) and _is_shallow(note):
                    if "format" in note:  # the first line of a match that is begun or resumed
                        runs.append([])
                    runs[-1].append(note)
    # A note with ``again`` is about a second answer; the recorded first one counts.
    last_run = {
        _subject(note): number
        for number, run in enumerate(runs)
        for note in run
        if "again" not in note
    }
    by_seq = defaultdict(list)
    for number, run in enumerate(runs):
        for note in run:
            if "seq" not in note or last_run.get(_subject(note), number) <= number:
                by_seq[str(note.get("seq"))].append(note)
    return by_seq


def _subject(note: Note) -> tuple[str, ...]:
    """Return the answer that a note is about; nobody has checked the note."""
    return tuple(str(note.get(field)) for field in SUBJECT)


def _is_shallow(value: object, levels: int = LEVELS) -> bool:
    """Return whether a value of JSON has at most ``levels`` nested levels."""
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_shallow(item, levels - 1) for item in inner)


def note(notes: Notes, events: Sequence[Event], seq: int) -> Note | None:
    """Return the note on the answer or fault in event ``seq``, or None."""
    return next(iter(notes_on(notes, events, seq)), None)


def notes_on(notes: Notes, events: Sequence[Event], seq: int) -> Sequence[Note]:
    """Return the notes on the answer or fault in event ``seq``; on the answers of all seats, all.

    All notes on questions that are asked at the same time bear the ``seq`` of the first reply to
    them, also on two questions to one seat. Rules may emit other events between two replies.
    """
    if not notes:
        return ()
    seat, ask = events[seq].get("seat"), events[seq].get("ask")
    any_ask = True  # the note on a class bot may name another step of its question
    for first in range(seq, -1, -1):
        event = events[first]
        is_reply = event["type"] in ANSWERS
        if first < seq and seat is None and not is_reply:
            break
        if first < seq and is_reply and event["seat"] == seat:
            if event.get("ask") == ask:
                break
            any_ask = False
        if found := _merged(
            note
            for note in notes.get(str(first), ())
            if seat is None
            or (note.get("seat", seat) == seat and (any_ask or note.get("ask") == ask))
        ):
            return found if seat is None else found[:1]
    return ()


def _merged(notes: Iterable[Note]) -> Sequence[Note]:
    """Return one note per answer; one in which a bot was lost has two, with ``resumed_after``."""
    merged: dict[object, Note] = {}
    for note in notes:
        key = (_subject(note), "again" in note)
        merged[key] = merged.get(key, {}) | note
    return [*merged.values()]


def seat_of(note: Mapping[str, Any], players: int) -> int | None:
    """Return the seat that a note is about, or None; nobody has checked the note."""
    seat = note.get("seat")
    return seat if type(seat) is int and 0 <= seat < players else None


def observations(note: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a note says for people: its subject is left out, and partial output is text."""
    values = {key: value for key, value in note.items() if key not in SUBJECT}
    if isinstance(partial := values.get("partial"), dict):
        values["partial"] = {channel: _as_text(data) for channel, data in partial.items()}
    return values


def _as_text(data: object) -> object:
    """Return the beginning of output in Base64 as text; other data as it is."""
    if not isinstance(data, str):
        return data
    try:
        output = b64decode(data, validate=True)
    except ValueError:
        return data
    text = output.decode(errors="backslashreplace")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(output):,} bytes)"
