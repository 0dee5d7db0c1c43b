"""Read the replies and results that a log records, to run its rules with them again.

``events`` is in each function an iterator over the events of the log from the current position on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from types import MappingProxyType
from typing import Any, TypeGuard

from games.table import (
    Answer,
    Ask,
    Fault,
    JointAsk,
    JointReplies,
    Reply,
    Result,
    reply_with_choices,
)
from schema.bot_output import ANSWER_CHANNELS, CHANNELS, from_fields, to_fields
from schema.reader import Log

ANSWERS = ("answered", "fault")
"""The types of the events that record one reply of one bot."""

FAULT_CHANNELS = {**ANSWER_CHANNELS, "file": CHANNELS}
"""The channels that a ``fault`` event may record, by protocol."""

SHORT = 32
"""Maximum characters of an answer that is kept for other events that record the same."""

Events = Iterator[Mapping[str, Any]]


def are_short(texts: tuple[Any, ...]) -> TypeGuard[tuple[str, ...]]:
    """Return whether all values are texts, and short ones."""
    try:
        return len("".join(texts)) <= SHORT
    except TypeError:
        return False


@lru_cache(4096)
def recorded_answer(channels: tuple[str, ...], texts: tuple[str, ...]) -> Answer:
    """Return the answer with these texts in its ``channels``."""
    raw = {channel: text.encode() for channel, text in zip(channels, texts, strict=True)}
    return Answer(MappingProxyType(raw), dict(zip(channels, texts, strict=True)))


def read_replies(log: Log, questions: Sequence[Ask], events: Events) -> list[Reply]:
    """Return the recorded replies to ``questions``, fewer if the log ends before."""
    recorded = (event for event in events if event["type"] in ANSWERS)
    return [read_reply(event, log.card.protocol) for event in islice(recorded, len(questions))]


def carries(log: Log, question: JointAsk, event: Mapping[str, Any]) -> bool:
    """Return whether ``event`` records the choices of all seats; a model may let it lack them."""
    carrier = log.version.carriers.get(question.name)
    return carrier is not None and event["type"] == carrier.event and carrier.field in event


def read_choices(log: Log, question: JointAsk, event: Mapping[str, Any]) -> JointReplies:
    """Return the reply that ``event`` records; None if it does not carry the choices."""
    if not carries(log, question, event):
        return None
    choices = event[log.version.carriers[question.name].field]
    return reply_with_choices(question, choices, len(log.start["players"]))


def read_replies_by_seat(log: Log, events: Events) -> dict[int, Reply]:
    """Return the replies to a joint question in which a bot failed; the log has one event each."""
    first = islice(events, len(log.start["players"]))
    recorded = takewhile(lambda event: event["type"] in ANSWERS, first)
    return {event["seat"]: read_reply(event, log.card.protocol) for event in recorded}


def read_reply(event: Mapping[str, Any], protocol: str) -> Reply:
    """Return the reply in an ``answered`` or ``fault`` event, as the rules received it.

    Channels that the protocol does not have are left out, so that no rules can record them again.
    """
    if event["type"] == "answered" or event["kind"] == "illegal":
        channels = ANSWER_CHANNELS[protocol]
        texts = tuple(map(event.get, channels))
        if "cut" not in event and are_short(texts):
            return recorded_answer(channels, texts)
        raw = from_fields(event, channels)
        return Answer(raw if len(raw) == len(channels) else dict.fromkeys(channels, b"") | raw)
    raw = from_fields(event, FAULT_CHANNELS[protocol])
    found = event.get("found") if protocol == "file" else None
    return Fault(event["kind"], raw, found, during=event["ask"])


def reply_fields(reply: Reply, protocol: str) -> dict[str, object]:
    """Return a reply in the fields in which an event records it."""
    if isinstance(reply, Fault):
        found = {} if reply.found is None else {"found": reply.found}
        return {"kind": reply.kind, **found, **to_fields(reply.raw)}
    silent = dict.fromkeys(ANSWER_CHANNELS[protocol], b"")
    return to_fields({**silent, **reply.raw})


def read_result(event: Mapping[str, Any]) -> Result:
    """Return the result in a ``match_played`` event."""
    faults = [(fault["seat"], fault["kind"]) for fault in event["faults"]]
    return result_of(event, faults, event["seal"])


def result_of(event: Mapping[str, Any], faults: Sequence[tuple[int, str]], seal: str) -> Result:
    """Return the result in a ``match_finished`` or ``match_played`` event.

    ``faults`` holds pairs (seat, kind); ``seal`` is the hash in the seal of the match's log.
    """
    return Result(
        reason=event["reason"],
        scores=tuple(event["scores"]),
        winners=tuple(event["winners"]),
        faults=tuple(faults),
        seal=seal,
    )
