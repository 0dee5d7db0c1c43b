"""The bytes that a bot wrote, as fields of an event: text if they are valid UTF-8, else base64.

Base64 goes under the same key with the suffix ``_base64``.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence

from schema.canonical import Event

CAP = 64 * 1024
"""Maximum bytes of one channel in a log; the event's ``cut`` names the channels that were cut."""

CHANNELS = ("output", "appended", "file")
"""Standard output, the bytes added to the history file, and the whole file if it was changed."""

ANSWER_CHANNELS = {
    "argv": ("output",),
    "class": ("output",),
    "file": ("output", "appended"),
    "stream": ("output",),
}
"""The channels that every ``answered`` event records, by protocol, even if they are empty."""


def to_fields(channels: Mapping[str, bytes]) -> dict[str, object]:
    """Return the fields of an ``answered`` or ``fault`` event for these bytes, in key order."""
    fields: dict[str, object] = {}
    cut: list[str] = []
    for channel in CHANNELS:
        written = channels.get(channel)
        if written is None:
            continue
        if len(written) > CAP:
            written = written[:CAP]
            cut.append(channel)
        try:
            fields[channel] = written.decode()
        except UnicodeDecodeError:
            fields[f"{channel}_base64"] = b64encode(written).decode()
    if cut:
        fields["cut"] = cut
    return fields


def from_fields(event: Event, among: Sequence[str] = CHANNELS) -> dict[str, bytes]:
    """Return the bytes that a bot wrote, by channel, from an ``answered`` or ``fault`` event.

    Only the channels in ``among`` are returned.
    A channel that was cut is returned one byte longer than ``CAP``, so that :func:`to_fields` cuts
    it again. Raises ValueError if the base64 is not valid.
    """
    channels: dict[str, bytes] = {}
    for channel in among:
        if isinstance(text := event.get(channel), str):
            channels[channel] = text.encode()
        elif isinstance(text := event.get(f"{channel}_base64"), str):
            channels[channel] = b64decode(text, validate=True)
    if "cut" in event and isinstance(cut := event["cut"], list):
        for channel in among:
            if channel in cut:
                channels[channel] = channels.get(channel, b"").ljust(CAP, b"\0") + b"\0"
    return channels
