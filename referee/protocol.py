"""The seam between a match and its bots: how a protocol takes part in a match.

A protocol is opened once a match with the bots by seat, and closed after it. It is asked one list
of questions at a time, answers in the same order, and never raises for what a bot does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from games.table import Ask, Reply
from referee.bots import Bot

Evidence = dict[str, object]
"""What differs between two identical runs: time, exit status, stderr, partial output."""


@dataclass(frozen=True)
class Question:
    """An ask, with the seed for the bot's own randomness."""

    ask: Ask
    bot_seed: str


Session = Callable[[Sequence[Question]], list[tuple[Reply, Evidence]]]
"""Asks all questions of one step, and returns a reply and its evidence for each."""

Protocol = Callable[[Sequence[Bot], Path, float], AbstractContextManager[Session]]
"""Opens a session for bots by seat, in a folder of its own, with a time limit in seconds."""


def environment(bot_seed: str) -> Mapping[str, str]:
    """All that a bot finds in its environment."""
    return {
        "KOTH_BOT_SEED": bot_seed,
        "PYTHONHASHSEED": "0",
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }
