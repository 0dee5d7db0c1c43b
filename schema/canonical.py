"""The one byte layout of a log line: ``{"seq":N,"type":…}``, declared key order, no spaces, LF."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

Event = Mapping[str, object]
"""One event without its ``seq``: the place in the log is the log's business, not the event's."""


def line(seq: int, event: Event) -> bytes:
    """The canonical bytes of ``event`` as line ``seq`` of a log, its LF included."""
    return b'{"seq":%d,' % seq + orjson.dumps(event)[1:] + b"\n"
