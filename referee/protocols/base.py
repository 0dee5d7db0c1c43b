"""The seam between a match and its bots: how a protocol takes part in a match.

A protocol is opened once a match, and closed after it. It is asked what the rules ask, answers in
the same order, and never raises for what a bot does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from games.table import Replies
from referee.bot import Bot

Evidence = dict[str, object]
"""What differs between two identical runs: time, exit status, stderr, partial output."""


@dataclass(frozen=True)
class Seating:
    """What a protocol needs to know of a match."""

    bots: Sequence[Bot]
    """By seat."""
    seed: str
    """The match's seed; the bots get their own from it."""
    scratch: str
    """How long a bot's working folder lives: ``decision``, ``match`` or ``none``."""
    time_limit: float
    """In seconds."""
    cold: bool = False
    """Whether scripts start a fresh interpreter for each decision."""
    isolation: str = "process"
    """``sandbox``, or ``process`` for anything less."""


Session = Callable[[Any], tuple[Replies, list[Evidence]]]
"""Takes what the rules yield (a list of asks, or a joint ask), and returns the replies, with the
evidence as notes that name a seat and what it was asked."""

Protocol = Callable[[Seating], AbstractContextManager[Session]]
"""Opens a session."""
