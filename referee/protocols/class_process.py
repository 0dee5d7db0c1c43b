"""The process of a class bot as the referee sees it: start, ask, stop, end.

The process is forked from a helper with a ready interpreter
(:mod:`referee.processes.fork_client`), in a sandbox or not. It runs
:mod:`referee.in_bot.class_worker`. Helpers are kept for other matches of any bot; they hold nothing
of a bot.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from games.table import Fault
from referee.bot import Bot, BotFile
from referee.in_bot import class_worker
from referee.pools import class_helpers, pool
from referee.processes import limits, process, scratch_dir
from referee.processes.environment import NO_SEED, environment
from referee.processes.fork_client import ForkServer, joined
from referee.processes.pausing import Pause
from referee.processes.process import PIPE_READS, STDERR_TAIL
from referee.processes.processor_time import Meter, Watch, number_of
from referee.protocols.base import Evidence
from referee.protocols.class_messages import framed
from referee.sandbox.sandbox import Sandbox, sandboxed_command
from schema.bot_output import CAP

if TYPE_CHECKING:
    from referee.in_bot.class_worker import Seat

PROGRAM = Path(class_worker.__file__).read_bytes()
LOADING = 10
"""Multiple of the time limit for loading a bot's file, imports included (SU-9)."""
LONGEST = 2 * CAP
"""Maximum bytes of a line, more than the worker ever sends."""
MOMENT = 0.1
"""Seconds between the end of a process's pipes and its own."""
START_LIMIT = 60.0
"""Seconds that an interpreter may take to start; nothing of the bot runs yet."""
STEPS = 10_000
"""Steps for whose processor time a process is limited: a bound for a whole match."""
ACKNOWLEDGED = {part: part.encode() for part in ("load", "construct", "update")}
"""Lines by which the worker says that a part of a step is over."""
CHOICES = b"="
"""First byte of answers that are all integers."""

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
        self.steps: list[bytes] = [b"ready"]
        """Lines that are due before the answers."""
        self.due = 0
        """Number of answers that are due."""
        self.last = ""  # part of the step
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
        self._send(
            framed((bot.command[-1], source, bot.class_name, {**environment("")}, {**seats}))
        )

    def _start(self, bot: Bot, seed: str, isolation: str) -> None:
        """Have a helper fork the process, with pipes to and from it."""
        worker = worker_bot(bot)
        home: Path | str
        if isolation == "sandbox":
            sandbox = cast(Sandbox, pool.take(worker, "sandbox"))
            self.helper: ForkServer = sandbox
            home = sandbox.home
            self._stack.callback(pool.give_back, sandbox)
        else:
            home = self._stack.enter_context(scratch_dir.folder()) / bot.name
            worker.install(home)
            self.helper = class_helpers.take(worker)
            self._stack.callback(class_helpers.give_back, self.helper)
        self.helper.await_fork()
        words = [str(home), seed, str(STEPS * limits.cpu_seconds(self.time_limit))]
        if class_helpers.script_of(self.helper):
            request = joined(["run", *words])
        else:
            command: Sequence[str] = worker.command
            if isinstance(self.helper, Sandbox):
                command = sandboxed_command(worker, command)
            request = joined(["start", *words, *command])
        self._open_pipes(request)

    def _open_pipes(self, request: bytes) -> None:
        """Send a request to the helper with one end of each pipe; keep the other ends."""
        helper = self.helper
        pipes: list[int] = []
        try:
            for _ in range(3):
                pipes += os.pipe()
            theirs, self.messages, self.lines, their_lines, self.errors, their_errors = pipes
            self.exited = (
                os.dup(helper.fork_pidfd)
                if isinstance(helper, Sandbox)
                else os.pidfd_open(helper.next)
            )
            helper.ask(request, their_lines, their_errors, theirs)
        except BaseException:
            for pipe in pipes:
                os.close(pipe)
            raise
        for pipe in (theirs, their_lines, their_errors):
            os.close(pipe)
        os.set_blocking(self.lines, False)
        os.set_blocking(self.errors, False)
        os.set_blocking(self.messages, not self.alone)  # the only match may read no messages
        self.open = [self.lines, self.exited, self.errors]
        """Descriptors to poll."""
        self.poll = select.poll()
        for descriptor in (self.lines, self.exited):
            self.poll.register(descriptor, select.POLLIN)
        self._stack.callback(self._close)

    # --- asking ---

    def ask(self, message: bytes, parts: Sequence[str], matches: int) -> None:
        """Begin a step of some parts, with a :func:`framed` message about so many matches.

        The answers are complete when the process is no longer ``waiting``.
        """
        self.answers = [] if self.fault is None else [self.fault]
        if self.fault is not None or self.lost:
            return
        self.pause.end(signal.SIGCONT)
        self.due, self.last = matches, parts[-1]
        if self.alone:
            self.steps = [ACKNOWLEDGED[part] for part in parts if part != "select"]
        self.limit = self.time_limit * (LOADING if parts[0] == "load" else 1)
        self.begun = time.monotonic()
        self._send(message)
        if self.buffer:
            self._take_answers()

    def _send(self, message: bytes) -> None:
        with suppress(BrokenPipeError, BlockingIOError):  # a failure shows when the answer is due
            os.write(self.messages, message)

    @property
    def waiting(self) -> bool:
        """Whether something is due."""
        return bool(self.due or self.steps)

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
            self._take_answers()
        else:
            self.fail("crash")
        return True

    def read_rest(self) -> None:
        """Read the rest of the pipe of a process that has ended."""
        while self.waiting and self.read():
            pass
        if self.waiting:
            self.fail("crash")

    def _take_answers(self) -> None:
        """Take answers and lines that are due out of the buffer."""
        while self.buffer and self.waiting:
            if self.buffer[:1] == CHOICES and self.due:
                end = 2 + 8 * (self.buffer[1] if len(self.buffer) > 1 else 1)
                if len(self.buffer) < end:
                    return
                choices, self.buffer = self.buffer[2:end], self.buffer[end:]
                self._answered(memoryview(choices).cast("q").tolist())
                continue
            line, newline, rest = self.buffer.partition(b"\n")
            if not newline:
                if len(self.buffer) > LONGEST:
                    self.fail("oversize")
                return
            self.buffer = rest
            self._take_line(line)

    def _take_line(self, line: bytes) -> None:
        if self.steps[:1] == [line]:
            del self.steps[0]
            self._end_part()
        elif self.due and (answer := special_answer(line, self.alone)) is not None:
            self._answered([answer])
        else:
            self.fail("crash")

    def _answered(self, answers: Sequence[Choice]) -> None:
        if self.steps or not 0 < len(answers) <= self.due:
            self.fail("crash")
            return
        self.answers += answers
        self.due -= len(answers)
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
        during = self.steps[0].decode() if self.steps else self.last
        self.steps, self.due = [], 0
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
        if isinstance(self.helper, Sandbox):
            return Meter(number_of(self.exited), number_of(self.helper.init_pidfd))
        return Meter(number_of(self.exited))

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

    def stderr_so_far(self) -> str:
        """Return the tail of standard error."""
        for _ in range(PIPE_READS):
            if not self.read_errors():
                break
        return self.stderr.decode(errors="replace")

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
        helper = self.helper
        while not (helper.ended or helper.gone) and helper.events.poll(MOMENT):
            helper.read_messages()
        return helper.status

    def _close(self) -> None:
        """End the process and its descendants, also those in other process groups."""
        if self.pause.happened:
            self.stop()
        self.pause.end(signal.SIGKILL)
        if not self.helper.ended:
            self.helper.kill()
            self.helper.wait()
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


def special_answer(line: bytes, alone: bool = False) -> Choice | None:
    """Return the answer in an ``output`` or ``failed`` line; None if the line is another."""
    word, _, rest = line.partition(b" ")
    if word == b"output":
        return rest
    if word == b"failed" and not alone:
        step, _, text = rest.decode().partition(" ")
        text = text.encode().decode("unicode_escape", "replace")  # it may be cut off
        return Failure("crash", during=step, traceback=text)
    return None
