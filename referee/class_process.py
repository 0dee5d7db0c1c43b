"""A process for a class bot, as the referee sees it: started, asked, stopped, ended.

It is forked from a helper that has an interpreter ready (:mod:`referee.helper`), in a sandbox or
not, with :mod:`referee.class_worker` as its script. Helpers are kept for the next match, of
whatever bot; nothing of a bot is in them.
"""

from __future__ import annotations

import atexit
import marshal
import os
import select
import signal
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.table import Fault
from referee import class_worker, limits, process, sandboxes, scratch, walls
from referee.bots import Bot, BotFile
from referee.helper import Helper, joined, script
from referee.process import PIPE_READS, STDERR_TAIL
from referee.processor_time import Meter, Watch, number_of
from referee.protocol import NO_SEED, Evidence, environment
from referee.sandbox import Sandbox
from schema.raw import CAP

PROGRAM = Path(class_worker.__file__).read_bytes()
LONGEST = 2 * CAP
"""Bytes without an end of line that are waited for: more than the worker ever sends."""
MOMENT = 0.1
"""Seconds between the end of a process's pipes and its own."""
START_LIMIT = 60.0
"""Seconds that an interpreter may take to start; nothing of the bot runs yet."""
STEPS = 10_000
"""Steps in which a process may compute for as long as in one decision: a bound for a match."""
MOST = 128
"""Helpers that are kept while nobody uses them."""
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
        self.stopped: list[int] = []
        """Descriptors of the processes that were stopped."""
        self.was_stopped = False
        self._stack = ExitStack()
        try:
            self._start(bot, seats[0][1] if self.alone else NO_SEED, isolation)
        except BaseException as error:
            self._stack.close()
            process.check_means(error)
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
            sandbox, home = sandboxes.take(worker, cold=False)
            self.helper: Helper = sandbox
            self._stack.callback(sandboxes.give_back, sandbox)
        else:
            home = self._stack.enter_context(scratch.folder()) / bot.name
            worker.install(home)
            self.helper = taken(worker)
            self._stack.callback(give_back, self.helper)
        helper = self.helper
        helper.await_fork()
        words = [str(home), seed, str(STEPS * limits.cpu_seconds(self.time_limit))]
        if script_of(helper):
            request = joined(["run", *words])
        else:
            command: Sequence[str] = worker.command
            if isinstance(helper, Sandbox):
                command = walls.called(worker, command)
            request = joined(["start", *words, *command])
        pipes: list[int] = []
        try:
            for _ in range(3):
                pipes += os.pipe()
            theirs, self.messages, self.lines, their_lines, self.errors, their_errors = pipes
            self.exited = (
                os.dup(helper.runs) if isinstance(helper, Sandbox) else os.pidfd_open(helper.next)
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
        self.resume()
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
            self.hear()
            return True
        if not data:
            self.fail("crash")
        self.buffer += data
        self._take_in()
        return True

    def hear(self, ended: bool = False) -> None:
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
            return Meter(number_of(self.exited), number_of(self.helper.first))
        return Meter(number_of(self.exited))

    def stop(self) -> None:
        """Stop it, with all that it has started, until it is asked again."""
        if self.stopped or not self.alone:
            return
        self.was_stopped = True
        meter = self.meter()
        known: set[int] = set()
        while new := set(meter.processes()) - known:
            held = {}
            for pid in new:
                with suppress(OSError):
                    held[pid] = os.pidfd_open(pid)
            still = set(meter.processes())  # the number of none that it was opened by is another's
            for pid, descriptor in held.items():
                if pid in still:
                    with suppress(OSError):
                        signal.pidfd_send_signal(descriptor, signal.SIGSTOP)
                self.stopped.append(descriptor)
            known |= new

    def resume(self) -> None:
        """Let it go on."""
        self._signal_stopped(signal.SIGCONT)

    def _signal_stopped(self, number: int) -> None:
        for descriptor in self.stopped:
            with suppress(OSError):
                signal.pidfd_send_signal(descriptor, number)
            os.close(descriptor)
        self.stopped.clear()

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
            helper.hear()
        return helper.status

    def _close(self) -> None:
        """End it, with all that it started, be it in another group."""
        if self.was_stopped:
            self.stop()
        self._signal_stopped(signal.SIGKILL)
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


# --- helpers -------------------------------------------------------------------------------------

_idle: defaultdict[tuple[object, ...], list[Helper]] = defaultdict(list)
"""By what they have ready."""
_keys: dict[Helper, tuple[tuple[object, ...], str]] = {}
_unready: set[tuple[object, ...]] = set()
"""What no interpreter can keep ready."""


def taken(worker: Bot) -> Helper:
    """A helper that has the worker ready, for this user alone. Raises OSError or ValueError."""
    usual = script(worker) is not None
    bare = Bot("", worker.command, worker.files[-1:] if usual else ())
    key = worker.command[0], usual, *environment("").values()
    while _idle[key]:
        helper = _idle[key].pop()
        if not helper.gone:
            return helper
        _drop(helper)
    for file in [class_worker.NAME, ""] if usual and key not in _unready else [""]:
        helper = Helper(bare, file, environment(NO_SEED))
        if not helper.gone:
            _keys[helper] = key, file
            return helper
        helper.end()
        _unready.add(key)
    raise OSError("no interpreter can be kept ready")


def script_of(helper: Helper) -> str:
    """The script that a helper has ready, if it has one."""
    return helper.script if isinstance(helper, Sandbox) else _keys[helper][1]


def give_back(helper: Helper) -> None:
    """Let others have a helper, if it is still of use; too many are not kept."""
    if helper not in _keys:
        return
    if helper.gone or len(_keys) > MOST:
        _drop(helper)
    else:
        _idle[_keys[helper][0]].append(helper)


def _drop(helper: Helper) -> None:
    del _keys[helper]
    helper.end()


def close() -> None:
    """End all helpers."""
    _idle.clear()
    for helper in [*_keys]:
        _drop(helper)


def _forget() -> None:
    """In a fork of this process: they are not its own."""
    for helper in _keys:
        helper.forget()
    _idle.clear()
    _keys.clear()


atexit.register(close)
os.register_at_fork(after_in_child=_forget)
