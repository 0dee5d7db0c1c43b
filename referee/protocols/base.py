"""The interface between a match and its bots: protocols and their sessions.

A protocol opens one session per match. The session gets the questions of the rules and returns the
replies in the same order. It never raises an error because of a bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from games.table import Replies
from referee.bot import Bot

Evidence = dict[str, object]
"""Facts that differ between two identical runs: time, exit status, stderr, partial output."""


@dataclass(frozen=True)
class Seating:
    """The facts about a match that a protocol needs."""

    bots: Sequence[Bot]
    """By seat."""
    seed: str
    """The match's seed, from which the bots' own seeds follow."""
    scratch: str
    """Lifetime of a bot's scratch: ``decision``, ``match`` or ``none``."""
    time_limit: float
    """Seconds per decision."""
    cold: bool = False
    """Whether scripts start a fresh interpreter for each decision."""
    isolation: str = "process"
    """``sandbox``, or another level, which counts as ``process``."""


Session = Callable[[Any], tuple[Replies, list[Evidence]]]
"""Takes the question of the rules (a list of asks, or a joint ask). Returns the replies and notes
for the evidence, each with a seat and the name of its question."""

Protocol = Callable[[Seating], AbstractContextManager[Session]]
"""Opens a session with the bots of a match."""
