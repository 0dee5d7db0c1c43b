"""The one byte layout of a log line: ``{"seq":N,"type":…}``, declared key order, no spaces, LF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

Event = Mapping[str, object]
"""One event without its ``seq``, which the writer of the log adds."""


def line(seq: int, event: Event) -> bytes:
    """Return the canonical bytes of ``event`` as line ``seq`` of a log, with its LF."""
    return b'{"seq":%d,' % seq + orjson.dumps(event)[1:] + b"\n"


def lines(first: int, events: Sequence[Event]) -> bytes:
    """Return :func:`line` of each of ``events``, numbered from ``first``; it takes less time.

    Several events must begin with their type; TypeError is raised if one holds an object that does.
    """
    if len(events) == 1:
        return line(first, events[0])
    text = orjson.dumps(events)[2:-1].replace(b"%", b"%%")
    text = text.replace(b',{"type":', b'\n{"seq":%d,"type":')
    return (b'{"seq":%d,' + text + b"\n") % tuple(range(first, first + len(events)))


def same(left: object, right: object) -> bool:
    """Return whether two values are written alike: 1 is not ``True``, a tuple is a list."""
    return _text(left) == _text(right)


def _text(value: object) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # no log holds it, such as an integer beyond 64 bits
        return repr(value).encode()
