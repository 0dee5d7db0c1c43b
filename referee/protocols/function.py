"""Python functions as bots of every protocol, in the referee's own process.

A function receives what the program or the class of another bot receives, as Python values. Its
error is a crash of the bot. Nothing holds it to a time limit, and what it prints is not recorded.
Matches in several threads ask one function at a time: its seed is in the process's environment.
"""

from __future__ import annotations

import marshal
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from games.table import ArgvCall, Ask, FileCall, Reply, StreamCall
from referee.in_bot.class_worker import SEED, answer_of, traceback_of
from referee.outcome import STDERR_TAIL, Outcome
from referee.protocols import argv, file
from referee.protocols.base import Evidence
from referee.protocols.class_process import Choice, Failure, choices_of, repeated
from referee.protocols.file import Appended
from referee.roster.functions import FunctionBot
from schema.bot_output import CAP

if TYPE_CHECKING:
    from referee.in_bot.class_worker import Seat

FAILED = 1
"""The exit status of a Python program that ends with an error."""

ENVIRONMENT = RLock()
"""Held while a function is asked; a function that plays a match itself has it already."""


def ask(
    question: Ask, bot_seed: str, bot: FunctionBot
) -> tuple[Reply, Outcome, Mapping[str, bytes]]:
    """Ask a function once: the reply, its time and error, and everything that it returned.

    In the *argv* protocol it receives the arguments, and returns the text that a program prints. In
    the *stream* protocol it receives a line, and returns a line. In the *file* protocol it receives
    the text of the history and the arguments, and returns the text that a program appends, or a
    pair of that and the text that a program prints.
    """
    call = question.observation
    outcome = Outcome(exit=0)
    raw = {"output": b"", **({"appended": b""} if isinstance(call, FileCall) else {})}
    begun, computed = time.perf_counter(), time.thread_time()
    try:
        with _seed(bot_seed):
            if isinstance(call, ArgvCall):
                raw["output"] = _bytes(bot.function(*call.args))
            elif isinstance(call, StreamCall):
                raw["output"] = _line(bot.function(call.line))
            else:
                answer = bot.function(call.history, *call.args)
                appended, output = answer if isinstance(answer, tuple) else (answer, "")
                raw |= {"output": _bytes(output), "appended": _bytes(appended)}
    except (Exception, SystemExit) as error:
        outcome.exit, outcome.stderr = FAILED, _traceback(error).encode()
    outcome.seconds = time.perf_counter() - begun
    outcome.computed = time.thread_time() - computed
    outcome.output = raw["output"]
    if not isinstance(call, FileCall):
        return argv.judge(outcome), outcome, raw
    oversize = "oversize" if len(raw["appended"]) > CAP else None
    return file.judge(outcome, Appended(raw, oversize), raw), outcome, raw


class FunctionProcess:
    """A class bot of one match in this process, asked like a ``BotProcess``."""

    lost = False

    def __init__(self, bot: FunctionBot, seat: Seat) -> None:
        self.bot = bot
        self.index, self.seed, _ = seat
        self.player: Any = None
        self.answers: list[Choice] = []
        self.fault: Failure | None = None
        self.seconds = self.slowest = 0.0

    def ask(self, message: bytes, parts: Sequence[str], matches: int) -> None:
        """Take a step; the answer is there at the end."""
        construct, select, _, choices = marshal.loads(message)
        begun, part = time.perf_counter(), "construct" if construct else "update"
        if self.fault is None:
            try:
                with _seed(self.seed):
                    if construct:
                        self.player = self.bot.function(self.index)
                    else:
                        self.player.update([*choices])
                    choice: object = 0
                    if select:
                        part = "select"
                        choice = answer_of(self.player.select())
                self.answers = [*choices_of([choice])]
            except (Exception, SystemExit) as error:
                self.fault = Failure("crash", during=part, traceback=_traceback(error))
            seconds = time.perf_counter() - begun
            self.seconds, self.slowest = self.seconds + seconds, max(self.slowest, seconds)
        if self.fault is not None:
            self.answers = [repeated(self.fault, parts)]

    def evidence(self, matches: int) -> Evidence:
        """Return the times until now."""
        return {"ms": round(1000 * self.seconds, 3), "slowest_ms": round(1000 * self.slowest, 3)}

    def new_stderr(self) -> str:
        """Return nothing: what it writes is not recorded."""
        return ""

    def end(self) -> None:
        """Do nothing: there is no process."""


@contextmanager
def _seed(bot_seed: str) -> Iterator[None]:
    """Set the environment variable with the bot's seed, while no other thread does."""
    with ENVIRONMENT:
        before = os.environ.get(SEED)
        os.environ[SEED] = bot_seed
        try:
            yield
        finally:
            os.environ.pop(SEED, None)  # the function may have removed it
            if before is not None:
                os.environ[SEED] = before


def _bytes(text: object) -> bytes:
    """Return a text as a program would write it. Raises TypeError for anything else."""
    if not isinstance(text, str):
        raise TypeError(f"expected the answer as a str, found {type(text).__name__}")
    return text.encode(errors="surrogateescape")


def _line(text: object) -> bytes:
    """Return a line as a program would write it, without its end. Raises ValueError for several."""
    line = _bytes(text).removesuffix(b"\n")
    if b"\n" in line:
        raise ValueError(f"expected the answer in one line, found {line.count(10) + 1} lines")
    return line


def _traceback(error: BaseException) -> str:
    return traceback_of(error, __file__)[-STDERR_TAIL:]
