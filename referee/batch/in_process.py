"""Class bots in the referee's own process (``--isolation none``), for bots that you trust.

Only bots that provably share nothing play here, and these print nothing. Nothing holds a bot to its
time limit. Its files are in one folder for all matches. A match that meets an error that depends on
more than the match, such as a lack of stack, raises OwnProcesses: it is played elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from games.table import JointAsk, Replies
from referee.bot import Bot
from referee.environment import environment
from referee.in_bot.class_worker import Match, SharedBot, Unshareable, answer_of
from referee.match import OpenMatch
from referee.outcome import STDERR_TAIL
from referee.protocols.base import Evidence
from referee.protocols.class_ import are_legal, replies_to
from referee.protocols.class_process import Choice, Failure, bot_source, choices_of
from referee.protocols.system import scratch_dir
from schema import seal

Answerer = Callable[[OpenMatch], Callable[[Any], Replies]]
"""Returns a function that answers the questions of a match."""


class OwnProcesses(Exception):
    """Raised when the bots of a match need processes of their own."""


@contextmanager
def answerers(bots: Sequence[Bot]) -> Iterator[Answerer]:
    """Host bots in this process."""
    with scratch_dir.folder() as folder:
        hosts: dict[Bot, SharedBot] = {}
        for number, bot in enumerate(bots):
            home = folder / str(number) / bot.name
            with scratch_dir.writing(folder):
                bot.install(home)
            file = str(home / bot.command[-1])
            hosts[bot] = SharedBot((file, bot_source(bot), bot.class_name, {}, {}), lambda _: None)
        yield lambda match: answerer(match, [hosts[bot] for bot in match.job.bots])


def answerer(opened: OpenMatch, hosts: Sequence[SharedBot]) -> Callable[[Any], Replies]:
    """Return a function that puts questions to the bots of a match and writes the evidence."""
    matches = []
    for seat, host in enumerate(hosts):
        variables = environment(seal.bot_seed(opened.job.seed, seat))
        match = Match(seat, len(hosts), {**variables})
        matches.append(match)
        host.current[:] = [match]

    def answer(question: JointAsk) -> Replies:
        _, (last,), legal = question
        choices: list[Any] = []
        for match in matches:
            part = "update"
            try:
                if last is None:
                    part = "construct"
                    hosts[match.index].construct(match)
                else:
                    match.bot.update([*last])
                choice: Any = 0
                if legal:
                    part = "select"
                    choice = match.bot.select()
                choices.append(choice)
            except (MemoryError, RecursionError, Unshareable) as error:
                raise OwnProcesses from error
            except Exception as error:
                choices += choices_of([match.fail(part, bool(legal), error)])
        if are_legal(question, choices):
            return choices
        choices = [choice_of(*pair) for pair in zip(matches, choices, strict=True)]
        for seat, failed in enumerate(choices):
            if isinstance(failed, Failure):
                note: Evidence = {"seat": seat, "ask": question.name}
                if failed.traceback:
                    note["stderr"] = failed.traceback[-STDERR_TAIL:]
                else:
                    note["ended_earlier"] = True
                opened.note(note)
        return replies_to(question, choices)

    return answer


def choice_of(match: Match, value: Any) -> Choice:
    """Return the reply that a bot's choice stands for; a failure stays one."""
    if isinstance(value, Failure):
        return value
    try:
        [choice] = choices_of([answer_of(value)])
    except Exception as error:
        [choice] = choices_of([match.fail("select", True, error)])
    return choice
