"""Class bots in the referee's own process (``--isolation none``), for those who trust their bots.

Only bots of which it is proven that they share nothing (class_proof) play here. Nothing holds a bot
to its time limit. Its files are in one folder for all matches; what it prints is lost.
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
from referee.in_bot.class_worker import Match, Together, answered, traceback_of
from referee.match import MatchJob
from referee.processes import scratch_dir
from referee.processes.environment import environment
from referee.processes.process import STDERR_TAIL
from referee.protocols.base import Evidence
from referee.protocols.class_ import integers, reply_of
from referee.protocols.class_process import Choice, bot_source
from schema import seal

Guests = Callable[[MatchJob, Callable[[Evidence], None]], Callable[[Any], Replies]]


@contextmanager
def guests(jobs: Sequence[MatchJob]) -> Iterator[Guests]:
    """The bots of all ``jobs``, with their files in place; gives what opens a match of them."""
    bots: dict[Bot, Together] = {}
    with scratch_dir.folder() as place, quiet():
        for bot in dict.fromkeys(bot for job in jobs for bot in job.bots):
            home = place / str(len(bots)) / bot.name
            bot.install(home)
            file = str(home / bot.command[-1])
            bots[bot] = Together(bot_source(bot), file, bot.class_name, [])

        yield lambda job, keep: session(job, [bots[bot] for bot in job.bots], keep)


@contextmanager
def quiet() -> Iterator[None]:
    """In the block nothing can be read, and what is printed is lost."""
    kept = sys.stdin
    with Path(os.devnull).open("r+") as nowhere, redirect_stdout(nowhere):
        sys.stdin = nowhere
        try:
            yield
        finally:
            sys.stdin = kept


def session(
    job: MatchJob, hosts: Sequence[Together], keep: Callable[[Evidence], None]
) -> Callable[[Any], Replies]:
    """One match; it puts what the rules ask to its bots, and evidence to ``keep``."""
    matches = [
        Match({**environment(seal.bot_seed(job.seed, seat))}, seat) for seat in range(len(hosts))
    ]
    errors: dict[int, str] = {}

    def ask(asked: JointAsk) -> Replies:
        _, (told,), legal = asked
        chosen: list[Choice] = []
        step = ""
        for host, match in zip(hosts, matches, strict=True):
            try:
                if told is None:
                    step = "construct"
                    host.construct(match)
                else:
                    step = "update"
                    match.bot.update([*told])
                if legal:
                    step = "select"
                    choice = match.bot.select()
                    chosen.append(choice if type(choice) is int else answered(choice))
                else:
                    chosen.append(0)
            except Exception as error:
                errors[len(chosen)] = traceback_of(error)
                chosen.append(Fault("crash", during=step))
        if legal and not errors and integers(legal).issuperset(chosen):
            return cast(list[int], chosen)
        for seat, text in errors.items():
            keep({"seat": seat, "ask": asked.name, "stderr": text[-STDERR_TAIL:]})
        bounded = (answered(one) if type(one) is int else one for one in chosen)
        replies = {seat: reply_of(choice, asked) for seat, choice in enumerate(bounded)}
        spoken = {seat: reply for seat, reply in replies.items() if reply}
        return spoken if legal or errors else None

    for host, match in zip(hosts, matches, strict=True):
        host.work[0] = match
    return ask
