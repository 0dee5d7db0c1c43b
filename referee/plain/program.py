"""Run a program; threads pass its input and output on, which works on every system."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from threading import Lock, Thread
from typing import IO

from referee.environment import environment
from referee.errors import RefereeError, check_resources
from referee.outcome import FLOOD, MOMENT, STDERR_TAIL, Outcome
from schema.bot_output import CAP

OF_WINDOWS = ("SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP")
"""Environment variables without which programs do not start on Windows."""

OF_PROGRAMS = (2, 3, 5, 193, 206, 216, 267)
"""Errors with which Windows starts no program for a reason of the program: it is missing, denied,
none at all, for another processor, or its command is too long."""

PIECES = 64
"""Maximum pieces of output that wait to be taken; after that the program waits."""

HELD = 0.5
"""Maximum seconds for which the output of a program is read after its end.

All of it was written before, but children that could not be killed may hold the pipes open.
"""

Piece = tuple[float, bytes]
"""Output, and the time at which it came (monotonic clock). Empty output is the program's end."""


class Program:
    """A running program and its output."""

    def __init__(
        self, command: Sequence[str], home: Path, bot_seed: str, has_input: bool = False
    ) -> None:
        """Start it in the folder ``home``. Raises OSError or ValueError if that fails."""
        program, *arguments = command
        if "/" in program:  # Windows would look for it in the folder of this process
            program = str(home / program)
        self.process = subprocess.Popen(
            [program, *arguments],
            cwd=home,
            env=variables(bot_seed),
            stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.output: Queue[Piece] = Queue(PIECES)
        self.input: SimpleQueue[bytes] = SimpleQueue()
        """Empty input is its end."""
        self._stderr, self._lock = b"", Lock()
        self._readers = [
            in_thread(self._read_output, self.process.stdout),
            in_thread(self._read_errors, self.process.stderr),
        ]
        if has_input:
            in_thread(self._write, self.process.stdin)
        self._threads = [*self._readers, in_thread(self._wait)]

    def new_stderr(self) -> bytes:
        """Return the tail of standard error since the last call."""
        with self._lock:
            tail, self._stderr = self._stderr, b""
        return plain_ends(tail)

    def kill(self) -> None:
        """Kill the program and its children, and wait for its end."""
        if self.process.poll() is None:
            self._kill_group()
        self.process.wait()
        self.input.put(b"")
        end = time.monotonic() + MOMENT
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < end:
            with suppress(Empty):
                self.output.get(timeout=MOMENT / 100)  # a thread may wait for room

    def _kill_group(self) -> None:
        """Kill the program, if it runs, and its children; Windows finds none after its end."""
        if sys.platform != "win32":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        elif self.process.poll() is None:
            words = ["taskkill", "/F", "/T", "/PID", str(self.process.pid)]
            with suppress(OSError):
                subprocess.run(words, capture_output=True, check=False)
            self.process.kill()

    # --- threads ---

    def _read_output(self, pipe: IO[bytes]) -> None:
        while data := pipe.read(CAP):
            self.output.put((time.monotonic(), data))

    def _read_errors(self, pipe: IO[bytes]) -> None:
        while data := pipe.read(CAP):
            with self._lock:
                self._stderr = (self._stderr + data)[-STDERR_TAIL:]

    def _write(self, pipe: IO[bytes]) -> None:
        while data := self.input.get():
            while data:
                data = data[pipe.write(data) :]

    def _wait(self) -> None:
        self.process.wait()
        self._kill_group()
        end = time.monotonic() + HELD
        for thread in self._readers:
            thread.join(max(0, end - time.monotonic()))
        self.output.put((time.monotonic(), b""))


def check_start(error: OSError | ValueError) -> None:
    """Raise RefereeError if the system, and not the program, is why a program did not start."""
    check_resources(error)
    if sys.platform == "win32" and isinstance(error, OSError) and error.winerror not in OF_PROGRAMS:
        raise RefereeError(f"no bot can be started: {error.strerror}.") from error


def in_thread(work: Callable[..., None], *pipes: IO[bytes] | None) -> Thread:
    """Do some work in a thread, and close its pipe at the end; a broken pipe is its end."""

    def run() -> None:
        try:
            with suppress(OSError):
                work(*pipes)
        finally:
            for pipe in pipes:
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()

    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


def run(command: Sequence[str], home: Path, bot_seed: str, time_limit: float) -> Outcome:
    """Run a program without input to its end. Raises RefereeError if the system lacks resources."""
    begun = time.monotonic()
    try:
        program = Program(command, home, bot_seed)
    except (OSError, ValueError) as error:
        check_start(error)
        return Outcome(error=str(error), measured=False)
    outcome, output, size = Outcome(measured=False), b"", 0
    try:
        while not outcome.flooded:
            left = begun + time_limit - time.monotonic()
            came, data = program.output.get(timeout=max(0, left))
            outcome.timed_out = came > begun + time_limit
            if outcome.timed_out or not data:
                break
            size += len(data)
            output += data[: CAP + 1 - len(output)]
            outcome.flooded = size > FLOOD
    except Empty:
        outcome.timed_out = True
    finally:
        program.kill()
    outcome.seconds, outcome.exit = time.monotonic() - begun, program.process.returncode
    outcome.output, outcome.stderr = plain_ends(output), program.new_stderr()
    return outcome


def plain_ends(output: bytes) -> bytes:
    """Return what a program wrote with the ends of lines of other systems than Windows."""
    return output.replace(b"\r\n", b"\n") if sys.platform == "win32" else output


def variables(bot_seed: str) -> Mapping[str, str]:
    """Return the whole environment of a bot."""
    if sys.platform != "win32":
        return environment(bot_seed)
    return {
        **environment(bot_seed),
        "PYTHONUTF8": "1",  # the encoding of texts on all other systems
        **{name: os.environ[name] for name in OF_WINDOWS if name in os.environ},
    }
