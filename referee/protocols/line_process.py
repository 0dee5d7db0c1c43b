"""A bot's process that is asked many times: it gets messages, and writes lines."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass

from referee.bot import Bot, BotFile


@dataclass(frozen=True)
class Launch:
    """The facts that the start of a process needs."""

    bot: Bot
    seed: str
    isolation: str
    time_limit: float
    shared: tuple[tuple[str, BotFile], ...] = ()
    """Files of the bot: one server may start the processes of all bots that have them."""
    cold: bool = False
    reads_all: bool = False
    """Whether the process reads each message at once, so that a long one may wait for that."""


class LineProcess(ABC):
    """A process as a protocol uses it; the protocol knows which lines are due.

    ``limit`` is the number of seconds that the part which begins now may take.
    """

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.waiting = False
        """Whether something is due."""
        self.stderr = self.buffer = b""
        self.seconds = self.slowest = 0.0
        self.computed = self.waited = 0.0
        """Seconds of slow parts, where they are measured: with a processor, and without one."""
        self.begun = time.monotonic()

    # --- what a protocol adds ---

    @abstractmethod
    def take_lines(self) -> None:
        """Take what is due out of the buffer."""

    @abstractmethod
    def fail(self, kind: str) -> None:
        """Record a fault of this kind; nothing is due any more."""

    # --- what a system adds ---

    @abstractmethod
    def start(self, launch: Launch) -> None:
        """Start the process. Raises RefereeError if the referee lacks the means."""

    @abstractmethod
    def send(self, message: bytes) -> None:
        """Send a message; a failure shows when the answer is due."""

    @abstractmethod
    def read_early(self) -> None:
        """Add a part of what came before the message to the buffer, which is empty."""

    @abstractmethod
    def read_rest(self) -> None:
        """Read what a process that has ended left."""

    @abstractmethod
    def has_ended(self, patience: float = 0) -> bool:
        """Return whether the process ends within ``patience`` seconds; its children may go on."""

    @abstractmethod
    def status(self) -> int | None:
        """Return the exit status, negative for a signal, None if the process has not ended."""

    @abstractmethod
    def start_error(self) -> str:
        """Return why the program could not start, or ``""``."""

    @abstractmethod
    def new_stderr(self) -> str:
        """Return the tail of standard error since the last call."""

    @abstractmethod
    def end(self) -> None:
        """End the process; nothing of it is left."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the process until it is asked again, if that is possible."""

    @abstractmethod
    def resume(self) -> None:
        """Let a stopped process go on."""

    # --- measuring ---

    def now(self) -> float:
        """Return the time at which the last line came (monotonic clock)."""
        return time.monotonic()

    def begin_part(self) -> None:
        """The first part of a step begins now."""
        self.begun = time.monotonic()

    def end_part(self) -> None:
        """A part is over: measure it. The next one begins, with a time limit of its own."""
        now = self.now()
        taken, self.begun = now - self.begun, now
        self.seconds += taken
        if taken > self.slowest:
            self.slowest = taken
        self.add_measured()

    @abstractmethod
    def add_measured(self) -> None:
        """Add the processor time of a slow part, where it is measured."""
