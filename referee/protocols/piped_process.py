"""A bot's process that is asked many times, with pipes to and from it: start, ask, stop, end.

The process is a fork of a server with a ready interpreter (:mod:`referee.processes.fork_client`).
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from referee.errors import RefereeError, check_resources
from referee.outcome import MOMENT, STDERR_TAIL
from referee.pools import pool
from referee.processes import limits, scratch_dir
from referee.processes.pausing import Pause
from referee.processes.process import PIPE_READS
from referee.processes.processor_time import FIRST_READING, Meter, Watch, number_of
from referee.protocols.line_process import Launch, LineProcess
from referee.sandbox.sandbox import Sandbox
from schema.bot_output import CAP

STEPS = 10_000
"""Answers for whose processor time a process is limited: a bound for a whole match."""


class PipedProcess(LineProcess):
    """A process that gets messages through a pipe, and whose time is measured."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.unsent = b""
        self.watch: Watch | None = None
        self.slow = False
        """Whether a part since the last question was so slow that it was measured."""
        self.meter: Meter | None = None
        """The meter of this part from its beginning, if an earlier one was slow."""
        self.pause = Pause()
        self._stack = ExitStack()

    def start(self, launch: Launch) -> None:
        """Have a server fork the process, with pipes to and from it.

        Without a sandbox, one server serves all bots that have the same shared files. Raises
        RefereeError if the referee lacks the means.
        """
        try:
            self._start(launch)
            os.set_blocking(self.messages, launch.reads_all)
        except BaseException as error:
            self._stack.close()
            check_resources(error)
            if isinstance(error, OSError):
                problem = f"{launch.bot.name} cannot be started: {error.strerror}."
                raise RefereeError(problem) from error
            raise

    def _start(self, launch: Launch) -> None:
        bot, seed = launch.bot, launch.seed
        self.program = bot.command[0]
        if launch.isolation == "sandbox":
            self.server = pool.take(bot, "sandbox", launch.cold)
        else:
            served = replace(bot, files=launch.shared) if launch.shared else bot
            self.server = pool.take(served, "process", launch.cold or not bot.script)
        self._stack.callback(pool.give_back, self.server)
        home: Path | str
        if isinstance(self.server, Sandbox):
            home = self.server.home
        else:
            home = self._stack.enter_context(scratch_dir.folder()) / bot.name
            bot.install(home)
        self.server.await_fork()
        if not self.server.is_alive():
            raise RefereeError(f"{bot.name} cannot be started: the process that starts it ended.")
        seconds = limits.cpu_seconds(launch.time_limit, STEPS)
        if self.server.script:
            request = self.server.script_request(home, seed, seconds)
        else:
            request = self.server.command_request(home, seed, seconds, bot.command)
        self.exited = self.server.open_fork()
        try:
            self.lines, self.errors, self.messages = self.server.ask_with_pipes(request, stdin=True)
        except BaseException:
            os.close(self.exited)
            raise
        self._stack.callback(self._close)
        for descriptor in (self.lines, self.errors):
            os.set_blocking(descriptor, False)
        self.open = dict.fromkeys((self.lines, self.exited), select.POLLIN)
        """Descriptors to poll, each with its events."""
        self.poll = select.poll()
        for descriptor, events in self.open.items():
            self.poll.register(descriptor, events)
        self.open[self.errors] = select.POLLIN

    # --- asking ---

    def send(self, message: bytes) -> None:
        """Send a message, as far as the pipe takes it now; the rest follows while it is read."""
        if self.unsent:
            message = self.unsent + message
        try:
            sent = os.write(self.messages, message)
        except BrokenPipeError:
            sent = len(message)  # a failure shows when the answer is due
        except BlockingIOError:
            sent = 0
        self.unsent = message[sent:]
        if self.unsent:
            self.open[self.messages] = select.POLLOUT

    def _send_rest(self) -> None:
        """Go on with a message that the pipe did not take as a whole."""
        del self.open[self.messages]
        rest, self.unsent = self.unsent, b""
        self.send(rest)

    def wait(self, end: float) -> None:
        """Read until nothing is due, or until ``end`` (monotonic clock)."""
        while self.waiting and not self.unsent:
            if self.read():
                continue
            left = end - time.monotonic()
            ready = dict(self.poll.poll(left * 1000)) if left > 0 else {}
            if self.exited in ready:
                self.read_rest()
            elif not ready:
                return

    def handle(self, descriptor: int) -> None:
        """Read from a descriptor that is ready, or write to it."""
        if descriptor == self.errors:
            self.read_errors()
        elif descriptor == self.messages:
            self._send_rest()
        elif self.waiting and descriptor == self.exited:
            self.read_rest()
        elif self.waiting:
            self.read()

    def read_early(self) -> None:
        """Add a part of what came before the message to the buffer, which is empty."""
        with suppress(BlockingIOError):
            self.buffer = os.read(self.lines, CAP)

    def read(self) -> bool:
        """Read once. Return False if nothing has come yet."""
        try:
            data = os.read(self.lines, CAP)
        except BlockingIOError:
            return False
        self.buffer += data
        if data:
            self.take_lines()
        else:
            self.fail("crash")
        return True

    def read_rest(self) -> None:
        """Read the rest of the pipe of a process that has ended."""
        while self.waiting and self.read():
            pass
        if self.waiting:
            self.fail("crash")

    def begin_part(self) -> None:
        """The first part of a step begins now. Measure it at once if the last step was slow.

        On a busy machine the referee waits, too: it would come too late for the first reading.
        """
        if self.slow:
            self.meter, self.slow = self._meter(), False
        super().begin_part()

    def add_measured(self) -> None:
        """Add the times of a slow part, and measure the next one from now on."""
        watch, self.watch = self.watch, None
        if watch is not None and watch.meter is not None:
            self.computed += watch.meter.computed
            self.waited += watch.meter.waited
            self.slow = True
        if self.slow or self.meter is not None:
            self.meter = self._meter() if self.waiting else None

    def patience(self) -> float:
        """Return the seconds after which to ask again, 0 if the bot is too slow by now."""
        if self.watch is None:
            self.watch = Watch(self.limit, self._meter_of_part)
            self.watch.begun = self.begun
        left = self.watch.patience()
        meter = self.watch.meter
        if meter is not None and meter.computed > limits.cpu_seconds(self.limit):
            return 0.0
        return left

    # --- the process ---

    def _meter_of_part(self) -> Meter:
        """Return the meter of this part, with a new reading."""
        if self.meter is None:
            return self._meter()
        self.meter.read()
        return self.meter

    def _meter(self) -> Meter:
        """Return a meter of the process and its descendants."""
        init = self.server.init_pidfd if isinstance(self.server, Sandbox) else -1
        return Meter(number_of(self.exited), number_of(init))

    def stop(self) -> None:
        """Stop the process and its descendants until it is asked again."""
        if not self.pause.stopped:
            self.pause.begin(self._meter())

    def resume(self) -> None:
        """Let a stopped process go on."""
        if self.pause.stopped:
            self.pause.end(signal.SIGCONT)

    def read_errors(self) -> bool:
        """Read once from standard error and keep the tail. Return False if nothing has come."""
        try:
            data = os.read(self.errors, CAP)
        except BlockingIOError:
            return False
        if not data:
            self.open.pop(self.errors, None)
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

    def has_ended(self, patience: float = 0) -> bool:
        """Return whether the process ends within ``patience`` seconds; its children may go on."""
        ended = select.poll()
        ended.register(self.exited, select.POLLIN)
        return bool(ended.poll(1000 * patience))

    def status(self) -> int | None:
        """Return the exit status, negative for a signal, None if the process has not ended."""
        self.has_ended(MOMENT)  # its pipes close before that
        server = self.server
        while not (server.ended or server.gone) and server.events.poll(MOMENT):
            server.read_messages()
        return server.status

    def start_error(self) -> str:
        """Return why the program could not start, or ``""``."""
        return self.server.start_error(self.program)

    def _close(self) -> None:
        """End the process and its descendants, also those in other process groups."""
        if self.pause.happened:
            self.stop()
        self.pause.end(signal.SIGKILL)
        try:
            if not self.server.ended:
                self.server.kill()
                self.server.wait()
        finally:
            for descriptor in (self.messages, self.lines, self.errors, self.exited):
                os.close(descriptor)

    def end(self) -> None:
        """End the process; nothing of it is left."""
        self._stack.close()


def attend(processes: Sequence[PipedProcess]) -> None:
    """Wait until nothing is due from any process; stop those from which nothing is due."""
    end = time.monotonic() + FIRST_READING
    for process in processes:
        process.wait(end)
    while pending := [process for process in processes if process.waiting]:
        # Measured first, because it may take long to stop the others.
        patience = [process.patience() for process in pending]
        for process in processes:
            if not process.waiting:
                process.stop()  # it takes no time from those that are still at work
        owners = {descriptor: process for process in pending for descriptor in process.open}
        poll = select.poll()
        for descriptor, process in owners.items():
            poll.register(descriptor, process.open[descriptor])
        for descriptor, _ in poll.poll(min(patience) * 1000):
            owners[descriptor].handle(descriptor)
        for process, left in zip(pending, patience, strict=True):
            if process.waiting and left == 0:
                process.fail("timeout")


class Stderrs:
    """The standard error of several processes, by key."""

    def __init__(self, processes: Mapping[int, PipedProcess]) -> None:
        self.processes = processes
        self.poll = select.poll()
        for process in processes.values():
            self.poll.register(process.errors, select.POLLIN)

    def readable(self) -> list[int]:
        """Return the keys of those that wrote something or closed it."""
        if not self.processes:
            return []
        ready = {descriptor for descriptor, _ in self.poll.poll(0)}
        # What came while the referee waited for an answer is already read.
        return [
            key
            for key, process in self.processes.items()
            if process.stderr or process.errors in ready
        ]
