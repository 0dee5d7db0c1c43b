"""The process of a class bot as the referee sees it: start, ask, stop, end.

The process runs :mod:`referee.in_bot.class_worker`. It is forked from a server with a ready
interpreter (:mod:`referee.processes.fork_client`). Without a sandbox one server serves all bots, as
it holds nothing of a bot.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from games.table import Fault
from referee.bot import Bot, BotFile
from referee.in_bot import class_worker
from referee.pools import pool
from referee.processes import limits, process, scratch_dir
from referee.processes.environment import NO_SEED, environment
from referee.processes.pausing import Pause
from referee.processes.process import PIPE_READS, STDERR_TAIL
from referee.processes.processor_time import Meter, Watch, number_of
from referee.protocols.base import Evidence
from referee.sandbox.sandbox import Sandbox
from schema.bot_output import CAP

if TYPE_CHECKING:
    from referee.in_bot.class_worker import Seat

PROGRAM = Path(class_worker.__file__).read_bytes()
LOADING = 10
"""Multiple of the time limit for loading a bot's file, imports included (SU-9)."""
LONGEST = 3 * CAP
"""Maximum bytes of a line from the process of one match, more than the worker ever sends."""
MOMENT = 0.1
"""Seconds between the end of a process's pipes and its own."""
START_LIMIT = 60.0
"""Seconds that an interpreter may take to start; nothing of the bot runs yet."""
STEPS = 10_000
"""Steps for whose processor time a process is limited: a bound for a whole match."""

Choice = int | bytes | Fault
"""A bot's reply in one match: an integer, the text of anything else, or a fault."""


@dataclass(frozen=True, slots=True)
class Failure(Fault):
    """The failure of a bot in one match of a batch, with its traceback."""

    traceback: str = ""


class BotProcess:
    """The process of one bot, for one match or a batch. Its first fault counts.

    ``seats`` maps the number of each match to the bot's index, its seed and the number of seats.
    Raises RefereeError if the referee lacks the means to start it.
    """

    def __init__(
        self, bot: Bot, seats: Mapping[int, Seat], isolation: str, time_limit: float
    ) -> None:
        self.alone = len(seats) == 1
        self.time_limit = time_limit
        self.stderr = self.buffer = b""
        self.answers: list[Choice] = []
        """By match of the last step."""
        self.fault: Fault | None = None  # of the only match
        self.lost = False
        """Whether a process that serves a batch ended or was too slow; no match is to blame."""
        self.parts = ["ready"]
        """Parts of the step whose end is not reported; the worker does so before it answers."""
        self.last = ""
        """The last part of the step, which the answers end."""
        self.due = 0
        """Number of answers that are due."""
        self.limit = START_LIMIT
        self.seconds = self.slowest = 0.0
        self.computed = self.waited = 0.0
        """Seconds of slow steps: with a processor, and without one."""
        self.begun = time.monotonic()
        self.watch: Watch | None = None
        self.pause = Pause()
        self._stack = ExitStack()
        try:
            self._start(bot, next(iter(seats.values()))[1] if self.alone else NO_SEED, isolation)
        except BaseException as error:
            self._stack.close()
            process.check_resources(error)
            raise
        source = b"" if self.alone else bot_source(bot)
        variables = {**environment("")}
        self._send(framed((bot.command[-1], source, bot.class_name, variables, {**seats})))

    def _start(self, bot: Bot, seed: str, isolation: str) -> None:
        """Have a server fork the process, with pipes to and from it."""
        worker = worker_bot(bot)
        if isolation == "sandbox":
            self.server = pool.take(worker, "sandbox")
        else:
            anyones = replace(worker, files=worker.files[-1:])
            self.server = pool.take(anyones, "process", cold=not worker.script)
        self._stack.callback(pool.give_back, self.server)
        home: Path | str
        if isinstance(self.server, Sandbox):
            home = self.server.home
        else:
            home = self._stack.enter_context(scratch_dir.folder()) / bot.name
            worker.install(home)
        self.server.await_fork()
        seconds = STEPS * limits.cpu_seconds(self.time_limit)
        if self.server.script:
            request = self.server.script_request(home, seed, seconds)
        else:
            request = self.server.command_request(home, seed, seconds, worker.command)
        self.exited = self.server.open_fork()
        try:
            self.lines, self.errors, self.messages = self.server.ask_with_pipes(request, stdin=True)
        except BaseException:
            os.close(self.exited)
            raise
        self._stack.callback(self._close)
        os.set_blocking(self.lines, False)
        os.set_blocking(self.errors, False)
        os.set_blocking(self.messages, not self.alone)  # the only match may read no messages
        self.open = [self.lines, self.exited, self.errors]
        """Descriptors to poll."""
        self.poll = select.poll()
        for descriptor in (self.lines, self.exited):
            self.poll.register(descriptor, select.POLLIN)

    # --- asking ---

    def ask(self, message: bytes, parts: Sequence[str], matches: int) -> None:
        """Begin a step of some parts, with a :func:`framed` message about so many matches.

        The answers are complete when the process is no longer ``waiting``.
        """
        self.answers = []
        if self.fault is not None:
            earlier = self.fault.during not in parts
            self.answers = [replace(self.fault, during=parts[0]) if earlier else self.fault]
        if self.fault is not None or self.lost:
            return
        self.pause.end(signal.SIGCONT)
        self.due, self.last = matches, parts[-1]
        self.parts = [part for part in parts if part != "select"] if self.alone else []
        self.limit = self.time_limit * (LOADING if parts[0] == "load" else 1)
        self.begun = time.monotonic()
        self._send(message)
        self._take_lines()

    def _send(self, message: bytes) -> None:
        with suppress(BrokenPipeError, BlockingIOError):  # a failure shows when the answer is due
            os.write(self.messages, message)

    @property
    def waiting(self) -> bool:
        """Whether something is due."""
        return bool(self.due or self.parts)

    def wait(self, end: float) -> None:
        """Read until nothing is due, or until ``end`` (monotonic clock)."""
        while self.waiting:
            if self.read():
                continue
            left = end - time.monotonic()
            ready = dict(self.poll.poll(left * 1000)) if left > 0 else {}
            if self.exited in ready:
                self.read_rest()
            elif not ready:
                return

    def read_from(self, descriptor: int) -> None:
        """Read from a descriptor that is ready."""
        if descriptor == self.errors:
            self.read_errors()
        elif self.waiting and descriptor == self.exited:
            self.read_rest()
        elif self.waiting:
            self.read()

    def read(self) -> bool:
        """Read once. Return False if nothing has come yet."""
        try:
            data = os.read(self.lines, CAP)
        except BlockingIOError:
            return False
        self.buffer += data
        if data:
            self._take_lines()
        else:
            self.fail("crash")
        return True

    def read_rest(self) -> None:
        """Read the rest of the pipe of a process that has ended."""
        while self.waiting and self.read():
            pass
        if self.waiting:
            self.fail("crash")

    def _take_lines(self) -> None:
        """Take lines that are due out of the buffer."""
        while self.waiting and self.buffer:
            line, newline, rest = self.buffer.partition(b"\n")
            if not newline:
                if self.alone and len(line) > LONGEST:
                    self.fail("oversize")
                return
            self.buffer = rest
            if self.parts and line == self.parts[0].encode():
                del self.parts[0]
            elif not self.parts and 0 < len(choices := choices_in(line, self.alone)) <= self.due:
                self.answers += choices
                self.due -= len(choices)
            else:
                self.fail("crash")
                return
            self._end_part()

    def _end_part(self) -> None:
        """A part of the step is over: the next one has a time limit of its own."""
        now = time.monotonic()
        self.seconds += now - self.begun
        self.slowest = max(self.slowest, now - self.begun)
        self._add_measured()
        self.begun = now
        self.limit = self.time_limit

    def fail(self, kind: str) -> None:
        """End the step with a fault, or with the loss of a process that serves a batch."""
        during = self.parts[0] if self.parts else self.last
        self.parts, self.due = [], 0
        self._add_measured()
        if not self.alone:
            self.lost = True
            return
        self.fault = Fault(kind, during="construct" if during in ("ready", "load") else during)
        self.answers = [self.fault]

    def _add_measured(self) -> None:
        if self.watch is not None and self.watch.meter is not None:
            self.computed += self.watch.meter.computed
            self.waited += self.watch.meter.waited
        self.watch = None

    def patience(self) -> float:
        """Return the seconds after which to ask again, 0 if the bot is too slow by now."""
        if self.watch is None:
            self.watch = Watch(self.limit, self._meter)
            self.watch.begun = self.begun
        left = self.watch.patience()
        meter = self.watch.meter
        if meter is not None and meter.computed > limits.cpu_seconds(self.limit):
            return 0.0
        return left

    # --- the process ---

    def _meter(self) -> Meter:
        """Return a meter of the process and its descendants."""
        init = self.server.init_pidfd if isinstance(self.server, Sandbox) else -1
        return Meter(number_of(self.exited), number_of(init))

    def stop(self) -> None:
        """Stop the process and its descendants until it is asked again, unless it has a batch."""
        if self.alone and not self.pause.stopped:
            self.pause.begin(self._meter())

    def read_errors(self) -> bool:
        """Read once from standard error and keep the tail. Return False if nothing has come."""
        try:
            data = os.read(self.errors, CAP)
        except BlockingIOError:
            return False
        if not data and self.errors in self.open:
            self.open.remove(self.errors)
        self.stderr = (self.stderr + data)[-STDERR_TAIL:]
        return bool(data)

    def new_stderr(self) -> str:
        """Return the tail of standard error since the last call.

        A bot writes before it answers, so this belongs to its last decision.
        """
        for _ in range(PIPE_READS):
            if not self.read_errors():
                break
        tail, self.stderr = self.stderr, b""
        return tail.decode(errors="replace")

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
            note["exit"] = self._status()
        return note

    def _status(self) -> int | None:
        """Return the exit status, negative for a signal, None if the process has not ended."""
        select.select([self.exited], [], [], MOMENT)  # its pipes close before that
        server = self.server
        while not (server.ended or server.gone) and server.events.poll(MOMENT):
            server.read_messages()
        return server.status

    def _close(self) -> None:
        """End the process and its descendants, also those in other process groups."""
        if self.pause.happened:
            self.stop()
        self.pause.end(signal.SIGKILL)
        if not self.server.ended:
            self.server.kill()
            self.server.wait()
        for descriptor in (self.messages, self.lines, self.errors, self.exited):
            os.close(descriptor)

    def end(self) -> None:
        """End the process; nothing of it is left."""
        self._stack.close()


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
        answers = orjson.loads(line)
    except orjson.JSONDecodeError:
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


def parts_of(construct: bool, select: bool) -> list[str]:
    """Return the parts of a step, in any of which a bot can fail (SU-9)."""
    parts = ["load", "construct"] if construct else ["update"]
    return [*parts, "select"] if select else parts
