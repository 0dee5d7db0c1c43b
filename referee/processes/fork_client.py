"""A helper process: it keeps a bot ready, and runs it once per decision.

It has the interpreter loaded and the script compiled (:mod:`referee.in_bot.fork_server`); a fork of
it finds everything as a fresh interpreter would. How a fork ended is the helper's word, given over
a socket that no script holds and that cannot be opened by a name.
"""

from __future__ import annotations

import ast
import os
import select
import socket
import struct
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from referee import in_bot
from referee.bot import LARGEST, Bot
from referee.in_bot.forks import spent
from referee.processes import limits, process
from referee.processes.process import PYTHON, Outcome
from referee.processes.processor_time import Meter, Watch

START_LIMIT = 60.0
"""Seconds that an interpreter may take to start; nothing of the bot runs yet."""

MOMENT = 5.0
"""Seconds that a helper may take to say how a fork ended that was killed."""

LONGEST = 100_000
"""Bytes of a request. Beyond that the system may refuse a cold start; it shall decide."""

COMMON = frozenset(
    """abc array base64 bisect cmath collections contextlib copy csv dataclasses datetime decimal
    enum fractions functools hashlib heapq inspect io itertools json math numbers operator pathlib
    pickle pprint queue random re shutil statistics string struct subprocess tempfile textwrap
    threading time traceback types typing unicodedata warnings zlib""".split()  # noqa: SIM905
)
"""What is loaded beforehand, if a bot imports it: modules that do nothing but define."""

FORK = b"fork"
ENDINGS = ENDED_BY, FAILED, COLD = b"ended", b"failed", b"cold"
MICROSECONDS = 1e6
ENDED = "the process that keeps the bot's interpreter ready was ended while the bot ran"

RUNNER = Path(in_bot.__file__).with_name("fork_server.py")


def script(bot: Bot) -> str | None:
    """The bot's script, if its command is a Python interpreter with one of its files.

    A bot with a file or a folder named like one of Python's own modules has none: what is loaded
    beforehand might be meant to be its own.
    """
    program, *words = bot.command
    files = [name for name, _ in bot.files]
    python = Path(program)
    if not words or words[0] not in files or not PYTHON.fullmatch(python.name):
        return None
    if program != python.name and not python.is_absolute():
        return None
    names = {part.partition(".")[0] for name in files for part in name.split("/")}
    small = sum(len(file.content) for name, file in bot.files if name.endswith(".py")) <= LARGEST
    return words[0] if small and names.isdisjoint(sys.stdlib_module_names) else None


def imports(source: bytes) -> set[str]:
    """The names of the modules that a Python source imports anywhere."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


class Helper:
    """One process that keeps a bot ready."""

    place = "process"
    folder = str(RUNNER.parent)
    inherited: Sequence[int] = ()
    """Descriptors that its command needs."""

    def __init__(self, bot: Bot, script: str, settings: Mapping[str, str]) -> None:
        """Start it, with ``settings`` in its environment.

        Without a ``script`` nothing of the bot is made ready. Raises OSError or ValueError when its
        interpreter cannot be started.
        """
        self.channel, theirs = socket.socketpair()
        try:
            words = self.command(bot, script, theirs.fileno(), settings)
            self.process = subprocess.Popen(
                words,
                cwd="/",
                env=settings,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno(), *self.inherited],
                start_new_session=True,
            )
        except BaseException:
            self.channel.close()
            raise
        finally:
            theirs.close()
        self.fixed = bot.command[2:]
        self.exited = os.pidfd_open(self.process.pid)
        self.events = select.epoll()
        self.events.register(self.channel, select.EPOLLIN)
        self.events.register(self.exited, select.EPOLLIN)
        self.said = b""
        self.fork = self.next = 0
        self.ended, self.gone = True, False
        self.status: int | None = None
        self.error = 0
        self.spent = (0, 0)
        self.gone = not self.is_ready(dict(bot.files)[script].content if script else b"")

    def command(
        self, bot: Bot, script: str, channel: int, settings: Mapping[str, str]
    ) -> Sequence[str]:
        """What is started: an interpreter, which is the bot's if there is a ``script``."""
        program = bot.command[0] if script else sys.executable
        sources = [file.content for name, file in bot.files if name.endswith(".py")]
        modules = COMMON.intersection(set().union(*map(imports, sources))) if script else ()
        begin = f"import sys; sys.path[0] = {self.folder!r}; from {RUNNER.stem} import main; "
        words = [program, "-c", begin + "main(*sys.argv[1:])", str(channel), self.place]
        return [*words, limits.text(self.place), script, *sorted(modules)]

    def is_ready(self, source: bytes) -> bool:
        """Hand it the script, and wait until it can be asked. Returns whether that is so."""
        self.channel.settimeout(START_LIMIT)
        try:
            self.channel.sendall(framed(source))
        except OSError:
            return False
        self.channel.setblocking(False)
        self.await_fork(START_LIMIT)
        return not self.gone

    def await_fork(self, patience: float = MOMENT) -> None:
        """Wait until it has a fork that takes the next request, or is gone."""
        while not (self.next or self.gone):
            if self.events.poll(patience):
                self.read_messages()
            else:
                self.gone = True

    def run(
        self, home: Path | str, bot_seed: str, arguments: Sequence[str], time_limit: float
    ) -> Outcome | None:
        """Run the script to its end, as :func:`process.run` does; None if it was not begun.

        A helper that is ``gone`` afterwards is of no more use.
        """
        words = "run", str(home), bot_seed, seconds(time_limit), *self.fixed, *arguments
        try:
            request = joined(words)
        except ValueError:
            return None
        return None if len(request) > LONGEST else self.attend(request, time_limit)

    def start(
        self, home: Path | str, bot_seed: str, command: Sequence[str], time_limit: float
    ) -> Outcome | None:
        """Run a command to its end; None if it was not begun.

        The fork that becomes the command limits itself before. Raises RefereeError where the system
        has no means for that.
        """
        try:
            request = self.beginning(home, bot_seed, time_limit, command)
        except ValueError as error:
            return Outcome(error=str(error))
        outcome = self.attend(request, time_limit)
        if self.error:
            failure = OSError(self.error, os.strerror(self.error), command[0])
            process.check_means(failure)
            return Outcome(error=str(failure))
        return outcome

    def beginning(
        self, home: Path | str, bot_seed: str, time_limit: float | None, command: Sequence[str]
    ) -> bytes:
        """The request to start a command. Raises ValueError."""
        return joined(["start", str(home), bot_seed, seconds(time_limit), *command])

    def meter(self) -> Meter:
        """Measure this process, with the fork: on a busy machine that begins late, too."""
        return Meter(self.process.pid)

    def attend(self, request: bytes, time_limit: float) -> Outcome | None:
        """Make a request, and read what comes out until its end; None if it was not begun."""
        pipes: list[int] = []
        try:
            pipes += os.pipe()
            pipes += os.pipe()
            watch = Watch(time_limit, self.meter)
            out, their_out, err, their_err = pipes
            self.ask(request, their_out, their_err)
            pipes = [out, err]
            os.close(their_out)
            os.close(their_err)
            if self.gone:
                return None
            outcome = process.attend(
                out, err, self.events.fileno(), self.read_messages, self.kill, watch
            )
        finally:
            for pipe in pipes:
                os.close(pipe)
        if not self.ended:
            self.wait()
        if self.ended and self.status is None:
            return None
        outcome.exit = self.status
        outcome.error = "" if self.ended else ENDED
        outcome.seconds = watch.wall
        outcome.computed, outcome.waited = (one / MICROSECONDS for one in self.spent)
        if watch.meter is not None:
            outcome.computed = max(outcome.computed, watch.meter.computed)
            outcome.waited = max(outcome.waited, watch.meter.waited)
        # The fork was there, and may have waited, before it was asked.
        outcome.waited = min(outcome.waited, outcome.seconds)
        return outcome

    def ask(self, request: bytes, *pipes: int) -> None:
        """Send a request, with where the output goes, and where input comes from, if it does."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack(f"{len(pipes)}i", *pipes))]
        message = framed(request)
        self.ended, self.status, self.fork, self.next = False, None, self.next, 0
        self.error, self.spent = 0, (0, 0)
        if self.events.poll(0):
            self.gone |= self.read_messages()
        if not self.gone:
            try:
                sent = self.channel.sendmsg([message], rights)
                if sent < len(message):
                    self.channel.settimeout(MOMENT)
                    self.channel.sendall(message[sent:])
                    self.channel.setblocking(False)
            except OSError:
                self.gone = True

    def read_messages(self) -> bool:
        """Read what it says, if anything. Returns whether the fork has ended, or the helper."""
        try:
            said = self.recv()
        except (BlockingIOError, ConnectionError):
            self.gone = True  # there is nothing to read, so that it was its end that woke us
            return True
        self.gone |= not said
        *lines, self.said = (self.said + said).split(b"\n")
        for line in lines:
            word, *numbers = line.split()
            if word in ENDINGS:
                self.end_of_fork(word, *map(int, numbers))
            elif word == FORK and self.ended:
                self.next = int(numbers[0])
            elif word == FORK:
                self.fork = int(numbers[0])
            else:
                self.on_unknown(word)
        return self.gone or self.ended

    def end_of_fork(self, word: bytes, number: int = 0, computed: int = 0, waited: int = 0) -> None:
        """The fork has ended, or did not begin."""
        self.ended = True
        if word == ENDED_BY:
            self.status = number
            self.spent = (computed, waited) if computed else spent(self.fork)
        elif word == FAILED:
            self.error = number

    def recv(self) -> bytes:
        """What it says next. Raises BlockingIOError when that is nothing."""
        return self.channel.recv(64)

    def on_unknown(self, word: bytes) -> None:
        """Something else is said."""
        self.gone = True

    def wait(self) -> None:
        """Wait, but not for long, until it has said how a fork ended that was killed."""
        end = time.monotonic() + MOMENT
        while not (self.ended or self.gone):
            if self.events.poll(max(0, end - time.monotonic())):
                self.read_messages()
                self.kill()
            else:
                self.gone = True

    def kill(self) -> None:
        """Kill the fork and its group. The helper has not reaped it, so the number is still its."""
        if self.fork > 0:
            process.kill_group(self.fork)

    def end(self) -> None:
        """End it, with the fork that ran last and the one that waits."""
        self.kill()
        self.forget()
        process.end(self.process)

    def forget(self) -> None:
        """Let go of the channel, which is the end of the helper."""
        self.gone = True
        self.channel.close()
        self.events.close()
        os.close(self.exited)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


def framed(content: bytes) -> bytes:
    """A message, with its length in front."""
    return len(content).to_bytes(4, "big") + content


def joined(words: Sequence[str]) -> bytes:
    """The words of a request. Raises ValueError when there is a NUL in one of them."""
    parts = [os.fsencode(word) for word in words]
    if any(b"\0" in part for part in parts):
        raise ValueError("embedded null byte")
    return b"\0".join(parts)


def seconds(time_limit: float | None) -> str:
    """How long a process may compute in a request, in words: nothing where that has no limit."""
    return "" if time_limit is None else str(limits.cpu_seconds(time_limit))
