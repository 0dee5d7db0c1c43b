"""Finds the first difference between two logs, and the events that follow in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from games.narration import Narrator
from replay.driver import equality
from replay.explain import explain
from replay.questions import question_fields
from replay.rerun import first_difference
from schema.canonical import Event
from schema.errors import KothError
from schema.log_path import LogPath, path_text
from schema.reader import IncompleteLog, Log, read
from schema.scan import SEALS

EVENTS_SHOWN = 5
"""Number of events shown before the difference, and after it in each log."""

RESULTS = ("match_finished", "tournament_finished")


@dataclass(frozen=True)
class Difference:
    """The first difference of two logs after their first events; ``seq`` is None if they agree."""

    paths: tuple[str, str]
    seq: int | None
    header: Sequence[str] = ()
    """The fields of the first event that differ; if only these differ, ``seq`` is 0."""
    question: Mapping[str, Any] | None = None
    """The question in the first log, if the event is an answer."""
    field: str = ""
    values: tuple[object, object] = (None, None)
    before: Sequence[Event] = ()
    """The last events before the difference, equal in both logs."""
    after: tuple[Sequence[Event], Sequence[Event]] = ((), ())
    """The first events of each log from the difference on."""
    ends: tuple[Event | None, Event | None] = (None, None)
    """The result of each log, if it has one."""
    sentences: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})
    """The sentences of these events (:mod:`games.narration`), by log and ``seq``."""


def diff(left: LogPath, right: LogPath) -> Difference:
    """Compare two logs event by event; either may lack its seal.

    Raises LogError for a file that is not a log.
    """
    logs = (_log(left), _log(right))
    return compare(logs, (path_text(left), path_text(right)), logs[0])


def compare(
    logs: tuple[Log | None, Log | None], paths: tuple[str, str], replayable: Log | None
) -> Difference:
    """Compare the events of two logs, of which ``paths`` are the names.

    None is an empty file. The question is that of ``replayable``: the first log, with its seal.
    """
    left, right = [() if log is None else log.events for log in logs]
    ends = (_result(left), _result(right))
    header = _different_header(left, right)
    equal = equality(*logs)
    for seq, pair in enumerate(zip_longest(left, right)):
        if header and (seq == 0 or _are_seals_after(header, *pair)):
            continue
        if equal(*pair):
            continue
        before = _numbered(left, max(int(bool(header)), seq - EVENTS_SHOWN), seq)
        after = (
            _numbered(left, seq, seq + EVENTS_SHOWN),
            _numbered(right, seq, seq + EVENTS_SHOWN),
        )
        first, other = (events[0] if events else None for events in after)
        field, *values = first_difference(first, other)
        return Difference(
            paths=paths,
            seq=seq,
            header=header,
            question=_question(replayable, seq),
            field=field,
            values=(values[0], values[1]),
            before=before,
            after=after,
            ends=ends,
            sentences=(
                _sentences(logs[0], [*before, *after[0], ends[0]]),
                _sentences(logs[1], [*after[1], ends[1]]),
            ),
        )
    if header:
        field, *values = first_difference(left[0], right[0])
        return Difference(paths, 0, header, field=field, values=(values[0], values[1]), ends=ends)
    return Difference(paths, None)


def _different_header(left: Sequence[Event], right: Sequence[Event]) -> Sequence[str]:
    """Return the fields in which the first events of two logs of the same rules differ."""
    if not left or not right or left[0]["type"] != right[0]["type"]:
        return ()
    first, other = left[0], right[0]
    if any(first.get(key) != other.get(key) for key in ("game", "rules")):
        return ()
    return [key for key in dict.fromkeys((*first, *other)) if first.get(key) != other.get(key)]


def _are_seals_after(header: Sequence[str], left: Event | None, right: Event | None) -> bool:
    """Return whether two seals differ only in what a different ``header`` changes.

    These are the hash, and the seed if the commitments to it differ.
    """
    if left is None or right is None or left["type"] not in SEALS:
        return False
    own = {"sha256", "seed"} if "seed_commitment" in header else {"sha256"}
    return all(left.get(key) == right.get(key) for key in (left.keys() | right.keys()) - own)


def _question(log: Log | None, seq: int) -> Mapping[str, Any] | None:
    """Return the question to which event ``seq`` is the answer, if the log can be replayed."""
    if log is None or not log.sealed:
        return None
    try:
        explanation = explain(log, seq)
    except KothError:
        return None
    ask, answer = explanation.ask, explanation.answer
    if ask is None or answer is None or answer.seq != seq:
        return None
    return {key: value for key, value in question_fields(ask).items() if key != "seat"}


def _log(path: LogPath) -> Log | None:
    """Return the log at ``path``, with or without its seal; None for an empty file."""
    try:
        return read(path)
    except IncompleteLog as error:
        return error.log


def _sentences(log: Log | None, events: Sequence[Event | None]) -> Mapping[str, str]:
    """Return the sentences of ``events`` of ``log``, by their ``seq``."""
    if log is None:
        return {}
    narrate = Narrator(log.card, log.start)
    return {str(event["seq"]): narrate(event) for event in events if event is not None}


def _numbered(events: Sequence[Event], first: int, stop: int) -> Sequence[Event]:
    return [{"seq": seq, **event} for seq, event in enumerate(events[first:stop], first)]


def _result(events: Sequence[Event]) -> Event | None:
    """Return the last result, with its ``seq``, if there is one; in a contest, the last event."""
    is_contest = bool(events) and events[0]["type"] == "contest_started"
    last_first = range(len(events) - 1, -1, -1)
    seq = next((seq for seq in last_first if is_contest or events[seq]["type"] in RESULTS), None)
    return None if seq is None else {"seq": seq, **events[seq]}
