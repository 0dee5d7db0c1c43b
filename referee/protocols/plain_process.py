"""A bot's process that is asked many times, on systems other than Linux."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from queue import Empty

from referee.plain import scratch_dir
from referee.plain.program import Program, check_start, plain_ends
from referee.protocols.line_process import Launch, LineProcess


class PlainProcess(LineProcess):
    """A process whose time is wall-clock time. It is never stopped, and ends with its program."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.program: Program | None = None
        """None if it could not be started."""
        self.error = ""
        self.ended = False
        """Whether all output was taken from the program."""
        self.came = self.begun
        self._stack = ExitStack()

    def start(self, launch: Launch) -> None:
        """Start the program in a scratch folder of its own."""
        home = self._stack.enter_context(scratch_dir.folder()) / launch.bot.name
        with scratch_dir.writing(home.parent):
            launch.bot.install(home)
        try:
            self.program = Program(launch.bot.command, home, launch.seed, has_input=True)
            self._stack.callback(self.program.kill)
        except (OSError, ValueError) as error:
            self._stack.close()
            check_start(error)
            self.error, self.ended = str(error), True

    def send(self, message: bytes) -> None:
        """Have a thread send a message: the process may not read it."""
        if self.program is not None:
            self.program.input.put(message)

    def now(self) -> float:
        """Return the time at which the last output came, however late it is looked at."""
        return max(self.came, self.begun)

    def wait(self) -> None:
        """Take output until nothing is due."""
        while self.waiting:
            if self.program is None or self.ended:
                self.fail("crash")
                return
            end = self.begun + self.limit
            try:
                came, data = self.program.output.get(timeout=max(0, end - time.monotonic()))
            except Empty:
                came, data = time.monotonic(), b""
            if came > end:
                self.came = came
                self.fail("timeout")
                self.program.kill()
                return
            self.came, self.ended = came, not data
            self.buffer = plain_ends(self.buffer + data)
            if data:
                self.take_lines()

    def read_early(self) -> None:
        """Add a part of what came before the message to the buffer, which is empty."""
        if self.program is not None and not self.ended:
            with suppress(Empty):
                self.came, data = self.program.output.get_nowait()
                self.buffer, self.ended = plain_ends(data), not data

    def read_rest(self) -> None:
        """Read what a process that has ended left."""
        self.wait()

    def has_ended(self, patience: float = 0) -> bool:
        """Return whether the program has ended."""
        return self.program is None or self.program.process.poll() is not None

    def status(self) -> int | None:
        """Return the exit status, negative for a signal, None if the process has not ended."""
        return None if self.program is None else self.program.process.poll()

    def stop(self) -> None:
        """Do nothing: it goes on."""

    def resume(self) -> None:
        """Do nothing."""

    def add_measured(self) -> None:
        """Do nothing: only the system knows its processor time."""

    def start_error(self) -> str:
        """Return why the program could not start, or ``""``."""
        return self.error

    def new_stderr(self) -> str:
        """Return the tail of standard error since the last call."""
        return "" if self.program is None else self.program.new_stderr().decode(errors="replace")

    def end(self) -> None:
        """End the process and its children."""
        self._stack.close()


def attend(processes: Sequence[PlainProcess]) -> None:
    """Wait until nothing is due from any process."""
    for process in processes:
        process.wait()


class Stderrs:
    """The standard error of several processes, by key."""

    def __init__(self, processes: Mapping[int, PlainProcess]) -> None:
        self.processes = processes

    def readable(self) -> list[int]:
        """Return the keys of all: what they wrote is already read."""
        return [*self.processes]
