"""A process for a class bot, as the referee sees it: started, asked, stopped, ended.

It is forked from a helper that has an interpreter ready (:mod:`referee.processes.fork_client`), in
a sandbox or not, with :mod:`referee.in_bot.class_worker` as its script. Helpers are kept for the
next match, of whatever bot; nothing of a bot is in them.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

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
from referee.sandbox.sandbox import Sandbox, sandboxed_command
from schema.bot_output import CAP

PROGRAM = Path(class_worker.__file__).read_bytes()
LONGEST = 2 * CAP
"""Bytes without an end of line that are waited for: more than the worker ever sends."""
MOMENT = 0.1
"""Seconds between the end of a process's pipes and its own."""
START_LIMIT = 60.0
"""Seconds that an interpreter may take to start; nothing of the bot runs yet."""
STEPS = 10_000
"""Steps in which a process may compute for as long as in one decision: a bound for a match."""
PACKED = b"=#"
"""How the answers of several matches begin."""

Choice = int | bytes | Fault
"""What a bot replied in one match: an integer, what it chose instead as text, or how it failed."""


@lru_cache(256)
def program(bot: Bot) -> Bot:
    """The worker, with the bot's files beside it."""
    worker = BotFile(PROGRAM, False)
    command = bot.command[0], class_worker.NAME
    return replace(bot, command=command, files=(*bot.files, (class_worker.NAME, worker)))


class BotProcess:
    """One bot's process, for one match or for several. How it failed first stands.

    ``seats`` are the bot's index, its seed and the number of seats, by match. Raises RefereeError
    where the referee has no means to start it.
    """

    def __init__(
        self, bot: Bot, seats: Sequence[tuple[int, str, int]], isolation: str, time_limit: float
    ) -> None:
        self.alone = len(seats) == 1
        self.time_limit = time_limit
        self.stderr = b""
        self.buffer = b""
        self.fault: Fault | None = None
        self.steps: list[str] = ["ready"]
        self.last = "ready"
        """The step that is done when all is."""
        self.limit = START_LIMIT
        self.lost = ""
        """Why a process that serves several matches cannot go on; that is no match's fault."""
        self.special = False
        """Whether there is an answer that is no integer."""
        self.due = 0
        """Answers that are still to come."""
        self.answers: list[Choice] = []
        self.seconds = self.slowest = 0.0
        self.computed = self.waited = 0.0
        """Seconds of slow steps: with a processor, and without one."""
        self.begun = time.monotonic()
        self.watch: Watch | None = None
        self.pause = Pause()
        self._stack = ExitStack()
        try:
            self._start(bot, seats[0][1] if self.alone else NO_SEED, isolation)
        except BaseException as error:
            self._stack.close()
            process.check_resources(error)
            raise
        settings = dict(environment(""))
        source = b"" if self.alone else bot_source(bot)
        request = bot.command[-1], source, bot.class_name, settings, list(seats)
        self.first = framed(request)

    def _start(self, bot: Bot, seed: str, isolation: str) -> None:
        """Have a helper fork it, with pipes to and from it."""
        worker = program(bot)
        home: Path | str
        if isolation == "sandbox":
            sandbox = cast(Sandbox, pool.take(worker, "sandbox"))
            self.helper: ForkServer = sandbox
            home = sandbox.home
            self._stack.callback(pool.give_back, sandbox)
        else:
            home = self._stack.enter_context(scratch_dir.folder()) / bot.name
            worker.install(home)
            self.helper = class_helpers.taken(worker)
            self._stack.callback(class_helpers.give_back, self.helper)
        helper = self.helper
        helper.await_fork()
        words = [str(home), seed, str(STEPS * limits.cpu_seconds(self.time_limit))]
        if class_helpers.script_of(helper):
            request = joined(["run", *words])
        else:
            command: Sequence[str] = worker.command
            if isinstance(helper, Sandbox):
                command = sandboxed_command(worker, command)
            request = joined(["start", *words, *command])
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
        for pipe in (self.messages, self.lines, self.errors):
            os.set_blocking(pipe, False)
        self.descriptors = self.lines, self.errors, self.exited
        self.poll = select.poll()
        for descriptor in (self.lines, self.exited):
            self.poll.register(descriptor, select.POLLIN)
        self._stack.callback(self._close)

    # --- asking ---

    def begin(self) -> None:
        """Hand it its bot, which is not loaded before the first step."""
        if self.fault is None and not self.lost:
            self._send(self.first)

    def ask(self, message: bytes, steps: Sequence[str], matches: int, limit: float) -> None:
        """Send a message, after which it comes through ``steps`` in so many matches."""
        self.answers = []
        self.special = self.fault is not None
        if self.fault is not None:
            self.answers = [self.fault]
            return
        if self.lost:
            return
        self.pause.end(signal.SIGCONT)
        self.due = matches
        self.steps = [*steps] if self.alone else []
        self.last = steps[-1]
        self.limit = limit
        self.begun = time.monotonic()
        self._send(message)
        if self.buffer:
            self._take_in()

    def _send(self, message: bytes) -> None:
        """Send a message; who does not take it is found out when it is due."""
        try:
            sent = os.write(self.messages, message)
            if sent < len(message):
                os.set_blocking(self.messages, True)
                os.write(self.messages, message[sent:])
                os.set_blocking(self.messages, False)
        except (BrokenPipeError, BlockingIOError):
            pass

    def hear_soon(self, end: float) -> bool:
        """Read what there is, or comes until ``end``. Returns whether anything has come."""
        try:
            data = os.read(self.lines, CAP)
        except BlockingIOError:
            left = end - time.monotonic()
            if left <= 0 or not self.poll.poll(left * 1000):
                return False
            self.read_messages()
            return True
        if not data:
            self.fail("crash")
        self.buffer += data
        self._take_in()
        return True

    def read_messages(self, ended: bool = False) -> None:
        """Read what there is; with ``ended`` nothing comes after that."""
        while self.waiting:
            try:
                data = os.read(self.lines, CAP)
            except BlockingIOError:
                break
            if not data:
                ended = True
                break
            self.buffer += data
            self._take_in()
            if not ended:
                return
        if ended and self.waiting:
            self.fail("crash")

    def _take_in(self) -> None:
        """Take the answers out of what was read."""
        while self.buffer and self.waiting:
            if self.buffer[0] in PACKED and self.due:
                wide = self.buffer[0] == PACKED[1]
                size = 2 + (self.buffer[1] if len(self.buffer) > 1 else 1) * (8 if wide else 1)
                if len(self.buffer) < size:
                    return
                piece, self.buffer = self.buffer[2:size], self.buffer[size:]
                self._answered(memoryview(piece).cast("q").tolist() if wide else [*piece])
                continue
            line, end, rest = self.buffer.partition(b"\n")
            if not end:
                if len(self.buffer) > LONGEST:
                    self.fail("oversize")
                return
            self.buffer = rest
            self._line(line)

    def _line(self, line: bytes) -> None:
        """One line came: a step is done, or an answer is something special."""
        word, _, rest = line.partition(b" ")
        if self.steps and word == self.steps[0].encode() and word != b"select":
            self.steps.pop(0)
            self._next_step()
        elif word == b"output" and self.due and self.steps[:1] in ([], ["select"]):
            self._answered([rest])
            self.special = True
        elif word == b"failed" and not self.alone:
            step, _, text = rest.decode().partition(" ")
            told = text.encode().decode("unicode_escape", "replace")  # it may be cut off
            self._answered([Failure(step, told)])
            self.special = True
        elif word == b"unable" and not self.alone:
            self.fail("memory")
        else:
            self.fail("crash")

    def _answered(self, answers: Sequence[Choice]) -> None:
        if not 0 < len(answers) <= self.due or self.steps[1:]:
            self.fail("crash")
            return
        self.answers += answers
        self.due -= len(answers)
        if not self.due:
            self.steps = []
        self._next_step()

    def _next_step(self) -> None:
        """It has come through something: now it has its time for the next."""
        now = time.monotonic()
        self.seconds += now - self.begun
        self.slowest = max(self.slowest, now - self.begun)
        self._measured()
        self.begun = now
        self.limit = self.time_limit

    def fail(self, kind: str) -> None:
        """It failed in the step that it is in; of several matches it is not known in which."""
        step = self.steps[0] if self.steps else self.last
        self.steps, self.due = [], 0
        self._measured()
        if not self.alone:
            self.lost = kind
            return
        self.fault = Fault(kind, during="construct" if step in ("ready", "load") else step)
        self.answers, self.special = [self.fault], True

    def _measured(self) -> None:
        """Add up what was measured in the step that is over, if anything was."""
        if self.watch is not None and self.watch.meter is not None:
            self.computed += self.watch.meter.computed
            self.waited += self.watch.meter.waited
        self.watch = None

    @property
    def waiting(self) -> bool:
        """Whether something is still to come."""
        return bool(self.due or self.steps)

    def patience(self) -> float:
        """Seconds after which to ask again; 0 if the bot is too slow by now."""
        if self.watch is None:
            self.watch = Watch(self.limit, self.meter)
            self.watch.begun = self.begun
        left = self.watch.patience()
        meter = self.watch.meter
        if meter is not None and meter.computed > limits.cpu_seconds(self.limit):
            return 0.0
        return left

    # --- what becomes of it ---

    def meter(self) -> Meter:
        """Measures it, with all that it has started."""
        if isinstance(self.helper, Sandbox):
            return Meter(number_of(self.exited), number_of(self.helper.init_pidfd))
        return Meter(number_of(self.exited))

    def stop(self) -> None:
        """Stop it, with all that it has started, until it is asked again."""
        if self.alone:
            self.pause.begin(self.meter())

    def take_errors(self) -> bool:
        """Read once from standard error, of which the tail is kept. Returns whether to go on."""
        try:
            data = os.read(self.errors, CAP)
        except BlockingIOError:
            return False
        self.stderr = (self.stderr + data)[-STDERR_TAIL:]
        return bool(data)

    def errors_so_far(self) -> str:
        """The tail of what it wrote to standard error."""
        for _ in range(PIPE_READS):
            if not self.take_errors():
                break
        return self.stderr.decode(errors="replace")

    def evidence(self, matches: int) -> Evidence:
        """How it did until now, for each of its matches."""
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

    def status(self) -> int | None:
        """How it ended, negative for a signal, None if it has not."""
        select.select([self.exited], [], [], MOMENT)  # its pipes close before that
        helper = self.helper
        while not (helper.ended or helper.gone) and helper.events.poll(MOMENT):
            helper.read_messages()
        return helper.status

    def _close(self) -> None:
        """End it, with all that it started, be it in another group."""
        if self.pause.happened:
            self.stop()
        self.pause.end(signal.SIGKILL)
        if not self.helper.ended:
            self.helper.kill()
            self.helper.wait()
        for descriptor in (self.messages, self.lines, self.errors, self.exited):
            os.close(descriptor)

    def end(self) -> None:
        """End it; nothing is left of it afterwards."""
        self._stack.close()


class Failure(Fault):
    """How a bot failed in one of several matches, with its traceback."""

    __slots__ = ("traceback",)

    def __init__(self, step: str, traceback: str) -> None:
        super().__init__("crash", during=step)
        object.__setattr__(self, "traceback", traceback)


def bot_source(bot: Bot) -> bytes:
    """The file with the bot's class."""
    return dict(bot.files)[bot.command[-1]].content


def framed(message: Any) -> bytes:
    """A message for the worker. Version 2 of the format is read by every interpreter."""
    data = marshal.dumps(message, 2)
    return len(data).to_bytes(4, "little") + data
