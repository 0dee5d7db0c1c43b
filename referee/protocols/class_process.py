"""The process of a class bot as the referee sees it.

The process runs :mod:`referee.in_bot.class_worker`. Without a sandbox one server forks it for all
bots, as the server holds nothing of a bot.
"""

from __future__ import annotations

import marshal
from binascii import unhexlify
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from games.table import Fault
from referee.bot import Bot, BotFile
from referee.environment import NO_SEED, environment
from referee.in_bot import class_worker
from referee.protocols.base import Evidence
from referee.protocols.line_process import Launch
from referee.protocols.system import SystemProcess
from schema.bot_output import CAP
from schema.contract import LOADING

if TYPE_CHECKING:
    from referee.in_bot.class_worker import Seat

PROGRAM = Path(class_worker.__file__).read_bytes()
LONGEST = 3 * CAP
"""Maximum bytes of a line from the process of one match, more than the worker ever sends."""
START_LIMIT = 60.0
"""Seconds that an interpreter may take to start; nothing of the bot runs yet."""

Choice = int | bytes | Fault
"""A bot's reply in one match: an integer, the text of anything else, or a fault."""


@dataclass(frozen=True, slots=True)
class Failure(Fault):
    """The failure of a bot in one match of a batch, with its traceback."""

    traceback: str = ""


class BotProcess(SystemProcess):
    """The process of one bot, for one match or a batch. Its first fault counts.

    ``seats`` maps the number of each match to the bot's index, its seed and the number of seats.
    Raises RefereeError if the referee lacks the means to start it.
    """

    def __init__(
        self, bot: Bot, seats: Mapping[int, Seat], isolation: str, time_limit: float
    ) -> None:
        self.alone = len(seats) == 1
        super().__init__(START_LIMIT)
        self.time_limit = time_limit
        self.answers: list[Choice] = []
        """By match of the last step."""
        self.fault: Fault | None = None  # of the only match
        self.lost = False
        """Whether a process that serves a batch ended or was too slow; no match is to blame."""
        self.waiting = True
        self.parts: Sequence[bytes] = (b"ready",)
        """Parts of the step whose end is not reported; the worker does so before it answers."""
        self.last = ""
        """The last part of the step, which the answers end."""
        self.due = 0
        """Number of answers that are due."""
        worker = worker_bot(bot)
        seed = next(iter(seats.values()))[1] if self.alone else NO_SEED
        reads_all = not self.alone  # the process of one match may read no messages
        self.start(
            Launch(worker, seed, isolation, time_limit, worker.files[-1:], reads_all=reads_all)
        )
        source = b"" if self.alone else bot_source(bot)
        variables = {**environment("")}
        self.send(framed((bot.command[-1], source, bot.class_name, variables, {**seats})))

    # --- asking ---

    def ask(self, message: bytes, parts: Sequence[str], matches: int) -> None:
        """Begin a step of some parts, with a :func:`framed` message about so many matches.

        The answers are complete when the process is no longer ``waiting``.
        """
        if self.fault is not None:
            self.answers = [repeated(self.fault, parts)]
            return
        self.answers = []
        if self.lost:
            return
        self.resume()
        self.waiting, self.due, self.last = True, matches, parts[-1]
        self.parts = reported(parts) if self.alone else ()
        self.limit = self.time_limit * (LOADING if parts[0] == "load" else 1)
        self.begin_part()
        self.send(message)
        if self.buffer:
            self.take_lines()

    def take_lines(self) -> None:
        """Take lines that are due out of the buffer."""
        *lines, rest = self.buffer.split(b"\n")
        self.buffer = rest
        for number, line in enumerate(lines):
            if not self.waiting:
                self.buffer = b"\n".join([*lines[number:], rest])
                break
            if self.parts and line == self.parts[0]:
                self.parts = self.parts[1:]
            elif not self.parts and 0 < len(choices := choices_in(line, self.alone)) <= self.due:
                self.answers += choices
                self.due -= len(choices)
            else:
                self.fail("crash")
                return
            self.waiting = bool(self.due or self.parts)
        if lines:
            self.end_part()
        if self.waiting and self.alone and len(rest) > LONGEST:
            self.fail("oversize")

    def end_part(self) -> None:
        """A part of the step is over: the next one has the time limit of every part."""
        super().end_part()
        self.limit = self.time_limit

    def fail(self, kind: str) -> None:
        """End the step with a fault, or with the loss of a process that serves a batch."""
        during = self.parts[0].decode() if self.parts else self.last
        self.parts, self.due, self.waiting = (), 0, False
        self.end_part()
        if not self.alone:
            self.lost = True
            return
        self.fault = Fault(kind, during="construct" if during in ("ready", "load") else during)
        self.answers = [self.fault]

    def stop(self) -> None:
        """Stop the process and its descendants until it is asked again, unless it has a batch."""
        if self.alone:
            super().stop()

    def evidence(self, matches: int) -> Evidence:
        """Return times and exit status until now; the times are the share of one match."""
        share = 1000 / matches
        note: Evidence = {
            "ms": round(self.seconds * share, 3),
            "slowest_ms": round(self.slowest * share, 3),
        }
        if self.computed or self.waited:
            note["cpu_ms"] = round(self.computed * share, 3)
            note["waited_ms"] = round(self.waited * share, 3)
        if matches > 1:
            note["in_step"] = matches
        elif self.fault is not None and self.fault.kind == "crash":
            note["exit"] = self.status()
        return note


def repeated(fault: Fault, parts: Sequence[str]) -> Fault:
    """Return a fault for a later step, in which the bot is not asked."""
    due = [part for part in parts if part != "load"]
    return replace(fault, during=class_worker.failing(str(fault.during), due))


@lru_cache(256)
def worker_bot(bot: Bot) -> Bot:
    """Return the worker, with the bot's files beside it."""
    files = (*bot.files, (class_worker.NAME, BotFile(PROGRAM, False)))
    return replace(bot, command=(bot.command[0], class_worker.NAME), files=files)


def bot_source(bot: Bot) -> bytes:
    """Return the file with the bot's class."""
    return dict(bot.files)[bot.command[-1]].content


def choices_in(line: bytes, alone: bool) -> Sequence[Choice]:
    """Return the answers in a line from a worker, which may be any bytes; none if it is invalid.

    The process of one match (``alone``) reports no failure: it ends.
    """
    try:
        if not line.startswith(b"["):
            return [*unhexlify(line)]
        answers = orjson.loads(line)
    except ValueError:
        return []
    if type(answers) is not list or (alone and list in map(type, answers)):
        return []
    return choices_of(answers)


def choices_of(answers: Sequence[Any]) -> Sequence[Choice]:
    """Return the replies that a worker's answers stand for; none if one is invalid."""
    if {*map(type, answers)} == {int}:
        return answers
    choices: list[Choice] = []
    for answer in answers:
        match answer:
            case str():
                choices.append(answer.encode())
            case [str(part), str(text)]:
                text = text.encode().decode("unicode_escape", "replace")  # it may be cut off
                choices.append(Failure("crash", during=part, traceback=text))
            case _ if type(answer) is int:
                choices.append(answer)
            case _:
                return []
    return choices


def framed(message: Any) -> bytes:
    """Return a message for the worker. Every interpreter reads version 2 of the format."""
    return marshal.dumps(message, 2)


@cache
def parts_of(construct: bool, select: bool) -> Sequence[str]:
    """Return the parts of a step, in any of which a bot can fail (SU-9)."""
    parts = ("load", "construct") if construct else ("update",)
    return (*parts, "select") if select else parts


@cache
def reported(parts: Sequence[str]) -> Sequence[bytes]:
    """Return the lines that report the ends of parts; the answer reports that of ``select``."""
    return tuple(part.encode() for part in parts if part != "select")
