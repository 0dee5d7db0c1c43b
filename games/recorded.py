"""What a log holds of the answers and results that drove its rules: to drive them by again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any

from games.table import Answer, Ask, Fault, JointAsk, Reply, Result
from schema.bot_output import ANSWER_CHANNELS, CHANNELS, from_fields
from schema.reader import Log

ANSWERS = ("answered", "fault")
"""The events that hold one bot's reply."""

AT_A_FAULT = {**ANSWER_CHANNELS, "file": CHANNELS}
"""The channels that a fault may have something of on record, by protocol."""

Events = Iterator[Mapping[str, Any]]
"""The events of a log from some place on. What happens at their end is up to whoever has them."""


def replies(log: Log, asked: Sequence[Ask], following: Events) -> list[Reply]:
    """The replies to ``asked``, which is what the rules wait for where ``following`` begins.

    There are fewer than were asked for where the events end too early.
    """
    recorded = (event for event in following if event["type"] in ANSWERS)
    return [reply(event, log.card.protocol) for event in islice(recorded, len(asked))]


def carried(log: Log, asked: JointAsk, event: Mapping[str, Any]) -> list[int] | None:
    """The choices of all seats, if ``event``, the next one, is the one that carries them."""
    carrier = log.version.carriers.get(asked.name)
    if carrier is None or event["type"] != carrier.event:
        return None
    choices: list[int] = event[carrier.field]
    return choices


def each(log: Log, following: Events) -> dict[int, Reply]:
    """Answers and faults seat by seat, as they stand where a bot failed."""
    seats = islice(following, len(log.start["players"]))
    single = takewhile(lambda event: event["type"] in ANSWERS, seats)
    return {event["seat"]: reply(event, log.card.protocol) for event in single}


def reply(event: Mapping[str, Any], protocol: str) -> Reply:
    """The reply in an ``answered`` or ``fault`` event, as the rules got it.

    What its protocol knows nothing of is left out, so that the rules cannot hand it on.
    """
    raw = from_fields(event)
    if event["type"] == "answered" or event["kind"] == "illegal":
        return Answer({channel: raw.get(channel, b"") for channel in ANSWER_CHANNELS[protocol]})
    raw = {channel: raw[channel] for channel in AT_A_FAULT[protocol] if channel in raw}
    found = event.get("found") if protocol == "file" else None
    return Fault(event["kind"], raw, found, event["ask"])


def result(event: Mapping[str, Any]) -> Result:
    """The result in a ``match_played`` event."""
    faults = [(fault["seat"], fault["kind"]) for fault in event["faults"]]
    return ended(event, faults, event["seal"])


def ended(event: Mapping[str, Any], faults: Sequence[tuple[int, str]], seal: str) -> Result:
    """How a match ended, by an event that says so, its faults, and the hash in its seal."""
    return Result(
        reason=event["reason"],
        scores=tuple(event["scores"]),
        winners=tuple(event["winners"]),
        faults=tuple(faults),
        seal=seal,
    )
