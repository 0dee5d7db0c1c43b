"""Older log formats: each step of the chain lifts the events of one format to the next.

There is one format so far, so the chain is empty. A step gets the events of a whole log and returns
those of the next format; golden logs of every format stay in ``tests/golden``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from schema.canonical import Event

CURRENT = 1

Step = Callable[[Sequence[Event]], list[Event]]

UPCASTS: Mapping[int, Step] = {}
"""From format number to the function that makes the next format of it."""


class UnknownFormat(ValueError):
    """The format is newer than this program, or none of its formats."""


def number(format: object) -> int:
    """The number in ``koth-log/N``. Raises ValueError when ``format`` is not of that form."""
    if isinstance(format, str) and (match := re.fullmatch(r"koth-log/([1-9][0-9]{0,8})", format)):
        return int(match[1])
    raise ValueError(f"expected format 'koth-log/{CURRENT}', found {format!r:.80}")


def upcast(
    events: Sequence[Event],
    format: int,
    steps: Mapping[int, Step] = UPCASTS,
    current: int = CURRENT,
) -> Sequence[Event]:
    """``events`` of a log in ``format``, lifted to ``current`` step by step.

    Raises UnknownFormat when the log is newer than ``current``, or no step leads on.
    """
    if format > current:
        raise UnknownFormat(
            f"the log is in koth-log/{format}; this program reads up to koth-log/{current}. "
            "Use a newer koth"
        )
    lifted = events
    for step in range(format, current):
        if step not in steps:
            raise UnknownFormat(f"no step leads from koth-log/{step} to koth-log/{step + 1}")
        lifted = steps[step](lifted)
    return lifted
