"""The interface between a match and its bots: protocols and their sessions.

A protocol opens one session per match. The session gets the questions of the rules and returns the
replies in the same order. It never raises an error because of a bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any
from typing import Protocol as Interface

from games.table import Replies
from referee.bot import Bot
from referee.outcome import Outcome

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


class Workspace(Interface):
    """One bot's scratch folder, with its files in it."""

    def file(self, name: str, content: bytes) -> AbstractContextManager[tuple[int | None, str]]:
        """Put a file into a new folder; return that folder and the file's path for the bot.

        The folder is open; where it is None, the path is valid outside the workspace too. The path
        is the same each time, unless the bot has blocked it.
        """

    def run(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """Run the bot once. Raises ServerLost if it did not start."""

    def start_ahead(self, bot_seed: str) -> None:
        """Start the bot before its next question, if that is possible."""
