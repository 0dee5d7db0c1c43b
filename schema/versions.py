"""Upcast logs of older formats: each step converts the events of one format to the next.

The first format is the current one, so the table of steps is empty. A step takes the events of a
whole log. Golden logs of every format stay in ``tests/golden``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from schema.canonical import Event

CURRENT = 1

FORMAT = re.compile(r"koth-log/([1-9][0-9]{0,8})")

Step = Callable[[Sequence[Event]], list[Event]]

UPCASTS: Mapping[int, Step] = {}
"""The step from each older format to the next, by the number of the older one."""


class UnknownFormat(ValueError):
    """Raised when this program cannot read a format, most likely because it is newer."""


def number(format: object) -> int:
    """Return the number in ``koth-log/N``. Raises ValueError if ``format`` has another form."""
    if isinstance(format, str) and (match := FORMAT.fullmatch(format)):
        return int(match[1])
    raise ValueError(f"expected format 'koth-log/{CURRENT}', found {format!r:.80}")


def upcast(
    events: Sequence[Event],
    format: int,
    steps: Mapping[int, Step] = UPCASTS,
    current: int = CURRENT,
) -> Sequence[Event]:
    """Return the events of a log in ``format``, converted to ``current`` step by step.

    Raises UnknownFormat if the log is newer than ``current``, or a step is missing.
    """
    if format > current:
        raise UnknownFormat(
            f"the log is in koth-log/{format}; this program reads up to koth-log/{current}. "
            "Use a newer koth"
        )
    for step in range(format, current):
        if step not in steps:
            raise UnknownFormat(f"no step leads from koth-log/{step} to koth-log/{step + 1}")
        events = steps[step](events)
    return events
