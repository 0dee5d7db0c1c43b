"""A class bot in the referee's own process (``--isolation none``), for bots that you trust.

Only bots that provably share nothing play here. Nothing holds a bot to its time limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.bot import Bot
from referee.in_bot.class_worker import Unshareable, Worker, load_shared, matches_of
from referee.processes.environment import environment
from referee.protocols.base import Evidence
from referee.protocols.class_process import Choice, bot_source, special_answer

if TYPE_CHECKING:
    from referee.in_bot.class_worker import Answer, Seat, Step


class InProcessBot:
    """A bot that is asked like a :class:`~referee.protocols.class_process.BotProcess`."""

    def __init__(self, bot: Bot, seats: Mapping[int, Seat], folder: Path) -> None:
        home = folder / bot.name
        bot.install(home)
        file = str(home / bot.command[-1])
        self.answers: list[Choice] = []
        self.lost = False
        """Whether the bot needs a process of its own for each match."""
        self._worker = Worker(
            lambda current: load_shared(bot_source(bot), file, bot.class_name, current),
            matches_of(environment(""), seats),
            self._take,
        )

    def ask(self, step: Step) -> None:
        """Take a step."""
        self.answers = []
        try:
            self._worker.step(*step)
        except (MemoryError, RecursionError, Unshareable):
            self.lost = True

    def _take(self, answers: Sequence[Answer]) -> None:
        self.answers += [
            answer if isinstance(answer, int) else special_answer(answer) or b""
            for answer in answers
        ]

    def evidence(self, matches: int) -> Evidence:
        """Return nothing: times of bots are not measured here."""
        return {}

    def stderr_so_far(self) -> str:
        """Return nothing: standard error is the referee's own."""
        return ""

    def end(self) -> None:
        """Do nothing: no process is to be ended."""
