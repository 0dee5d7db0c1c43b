"""The one byte layout of a log line: ``{"seq":N,"type":…}``, declared key order, no spaces, LF."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

Event = Mapping[str, object]
"""One event without its ``seq``, which the writer of the log adds."""


def line(seq: int, event: Event) -> bytes:
    """Return the canonical bytes of ``event`` as line ``seq`` of a log, with its LF."""
    return b'{"seq":%d,' % seq + orjson.dumps(event)[1:] + b"\n"
