"""A bot's bytes in JSON: text when they are valid UTF-8, else the same key with ``_base64``."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping

from schema.canonical import Event

CAP = 64 * 1024
"""How many bytes of one channel a log keeps; what was cut is named in the event's ``cut``."""

CHANNELS = ("output", "appended", "file")
"""Where a bot can write: its standard output, the end of the history file, the file as a whole."""

ANSWER_CHANNELS = {"argv": ("output",), "class": ("output",), "file": ("output", "appended")}
"""The channels of which every answer has something on record, by protocol, be it nothing."""


def to_fields(channels: Mapping[str, bytes]) -> dict[str, object]:
    """The fields of an ``answered`` or ``fault`` event that hold what a bot wrote, in key order."""
    fields: dict[str, object] = {}
    for channel in CHANNELS:
        if channel not in channels:
            continue
        written = channels[channel][:CAP]
        try:
            fields[channel] = written.decode()
        except UnicodeDecodeError:
            fields[f"{channel}_base64"] = b64encode(written).decode()
    cut = [channel for channel in CHANNELS if len(channels.get(channel, b"")) > CAP]
    if cut:
        fields["cut"] = cut
    return fields


def from_fields(event: Event) -> dict[str, bytes]:
    """What a bot wrote, by channel, out of an ``answered`` or ``fault`` event.

    A channel that was cut comes back one byte longer than the cap, so that writing it again cuts
    it again. Raises ValueError for base64 that is none.
    """
    channels: dict[str, bytes] = {}
    cut = event.get("cut", ())
    for channel in CHANNELS:
        if isinstance(text := event.get(channel), str):
            channels[channel] = text.encode()
        elif isinstance(text := event.get(f"{channel}_base64"), str):
            channels[channel] = b64decode(text, validate=True)
        if isinstance(cut, list) and channel in cut:
            channels[channel] = channels.get(channel, b"").ljust(CAP, b"\0") + b"\0"
    return channels
