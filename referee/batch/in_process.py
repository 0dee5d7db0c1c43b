"""Class bots in the referee's own process (``--isolation none``), for bots that you trust.

Only bots that provably share nothing play here. Nothing holds a bot to its time limit. Its files
are in one folder for all matches; what it prints is lost.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, cast

from games.table import Fault, JointAsk, Replies
from referee.bot import Bot
from referee.in_bot.class_worker import Match, answer_of, load_shared, traceback_of
from referee.match import OpenMatch
from referee.processes import scratch_dir
from referee.processes.environment import environment
from referee.processes.process import STDERR_TAIL
from referee.protocols.class_ import integers, reply_of
from referee.protocols.class_process import Choice, bot_source, special_answer
from schema import seal

Answerer = Callable[[OpenMatch], Callable[[Any], Replies]]
"""Returns a function that answers the questions of a match."""


class Host:
    """A bot's class, which all its matches use."""

    def __init__(self, bot: Bot, home: Path) -> None:
        bot.install(home)
        self.current: list[Match] = []
        """The current match alone."""
        self._bot, self._file = bot, str(home / bot.command[-1])
        self._class: Any = None

    def construct(self, match: Match) -> None:
        """Make the bot of a match. Raises the bot's errors."""
        if self._class is None:
            bot = self._bot
            self._class = load_shared(bot_source(bot), self._file, bot.class_name, self.current)
        match.bot = self._class(match.index)


@contextmanager
def answerers(bots: Sequence[Bot]) -> Iterator[Answerer]:
    """Host bots in this process. Until the end of the block they read and print nothing."""
    stdin = sys.stdin
    with (
        scratch_dir.folder() as folder,
        Path(os.devnull).open("r+") as nowhere,
        redirect_stdout(nowhere),
    ):
        hosts = {bot: Host(bot, folder / str(n) / bot.name) for n, bot in enumerate(bots)}
        sys.stdin = nowhere
        try:
            yield lambda match: answerer(match, [hosts[bot] for bot in match.job.bots])
        finally:
            sys.stdin = stdin


def answerer(opened: OpenMatch, hosts: Sequence[Host]) -> Callable[[Any], Replies]:
    """Return a function that puts questions to the bots of a match and writes the evidence."""
    matches = []
    for seat, host in enumerate(hosts):
        variables = environment(seal.bot_seed(opened.job.seed, seat))
        match = Match(seat, len(hosts), {**variables})
        matches.append(match)
        host.current[:] = [match]

    def answer(question: JointAsk) -> Replies:
        _, (told,), legal = question
        choices: list[Choice] = []
        errors: dict[int, str] = {}
        part = ""
        for host, match in zip(hosts, matches, strict=True):
            try:
                if told is None:
                    part = "construct"
                    host.construct(match)
                else:
                    part = "update"
                    match.bot.update([*told])
                choice = 0
                if legal:
                    part = "select"
                    choice = match.bot.select()
                choices.append(choice if type(choice) is int else choice_of(choice))
            except Exception as error:
                errors[len(choices)] = traceback_of(error)
                choices.append(Fault("crash", during=part))
        if legal and not errors and integers(legal).issuperset(choices):
            return cast(list[int], choices)
        for seat, text in errors.items():
            opened.note({"seat": seat, "ask": question.name, "stderr": text[-STDERR_TAIL:]})
        checked = (choice_of(choice) if type(choice) is int else choice for choice in choices)
        replies = {seat: reply_of(choice, question) for seat, choice in enumerate(checked)}
        given = {seat: reply for seat, reply in replies.items() if reply}
        return given if legal or errors else None

    return answer


def choice_of(value: object) -> Choice:
    """Return what a bot chose, as a worker would send it."""
    answer = answer_of(value)
    return answer if isinstance(answer, int) else special_answer(answer) or b""
