"""Python scripts kept ready: a helper process per bot, that forks once per decision.

The helper has the interpreter loaded and the script compiled (:mod:`referee.warm_runner`); a fork
of it finds everything as a fresh interpreter would. How a fork ended is the helper's word, given
over a socket that no script holds and that cannot be opened by a name. Helpers are kept from one
match to the next, and end with this process, however that ends.
"""

from __future__ import annotations

import ast
import atexit
import os
import re
import select
import socket
import struct
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from referee import process
from referee.bots import Bot
from referee.process import Outcome
from referee.protocol import environment

MOST = 64
"""Helpers that a process keeps at the same time; each has a few MB to itself."""

START_LIMIT = 60.0
"""Seconds that an interpreter may take to start; nothing of the bot runs yet."""

MOMENT = 5.0
"""Seconds that a helper may take to say how a fork ended that was killed."""

LONGEST = 100_000
"""Bytes of a request. Beyond that the system may refuse a cold start; it shall decide."""

PYTHON = re.compile(r"python[0-9.]*")

COMMON = frozenset(
    """abc array base64 bisect cmath collections contextlib copy csv dataclasses datetime decimal
    enum fractions functools hashlib heapq inspect io itertools json math numbers operator pathlib
    pickle pprint queue random re shutil statistics string struct subprocess tempfile textwrap
    threading time traceback types typing unicodedata warnings zlib""".split()  # noqa: SIM905
)
"""What is loaded beforehand, if a bot imports it: modules that do nothing but define."""

FORK = b"fork"
NO_SEED = "0" * 64
ENDED = "the process that keeps the bot's interpreter ready was ended while the bot ran"

RUNNER = Path(__file__).with_name("warm_runner.py")
START = f"import sys; sys.path[0] = {str(RUNNER.parent)!r}; from {RUNNER.stem} import main; "
START += "main(*sys.argv[1:])"


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
    return words[0] if names.isdisjoint(sys.stdlib_module_names) else None


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

    def __init__(self, bot: Bot, script: str, settings: Mapping[str, str]) -> None:
        """Start it. Raises OSError or ValueError when its interpreter cannot be started."""
        sources = [file.content for name, file in bot.files if name.endswith(".py")]
        modules = COMMON.intersection(set().union(*map(imports, sources)))
        self.channel, theirs = socket.socketpair()
        try:
            self.process = subprocess.Popen(
                [bot.command[0], "-c", START, str(theirs.fileno()), script, *sorted(modules)],
                cwd="/",
                env=settings,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except BaseException:
            self.channel.close()
            raise
        finally:
            theirs.close()
        process.limit(self.process.pid)
        self.fixed = bot.command[2:]
        self.exited = os.pidfd_open(self.process.pid)
        self.events = select.epoll()
        self.events.register(self.channel, select.EPOLLIN)
        self.events.register(self.exited, select.EPOLLIN)
        self.said = b""
        self.fork = self.next = 0
        self.ended, self.gone = True, False
        self.status: int | None = None
        self.gone = not self.is_ready(dict(bot.files)[script].content)

    def is_ready(self, source: bytes) -> bool:
        """Hand it the script, and wait until it can be asked. Returns whether that is so."""
        self.channel.settimeout(START_LIMIT)
        try:
            self.channel.sendall(framed(source))
            self.hear()
        except OSError:
            return False
        self.channel.setblocking(False)
        return self.next > 0

    def run(
        self, home: Path, bot_seed: str, arguments: Sequence[str], time_limit: float
    ) -> Outcome | None:
        """Run the script to its end, as :func:`process.run` does; None if it was not begun.

        A helper that is ``gone`` afterwards is of no more use.
        """
        words = [os.fsencode(word) for word in (str(home), bot_seed, *self.fixed, *arguments)]
        request = b"\0".join(words)
        if len(request) > LONGEST or request.count(b"\0") != len(words) - 1:
            return None
        begun = time.monotonic()
        pipes: list[int] = []
        try:
            pipes += os.pipe()
            pipes += os.pipe()
            out, their_out, err, their_err = pipes
            self.ask(request, their_out, their_err)
            pipes = [out, err]
            os.close(their_out)
            os.close(their_err)
            if self.gone:
                return None
            outcome = process.attend(
                out, err, self.events.fileno(), self.hear, self.kill, begun + time_limit
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
        outcome.seconds = time.monotonic() - begun
        return outcome

    def ask(self, request: bytes, out: int, err: int) -> None:
        """Send a request, with where the output goes."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("2i", out, err))]
        message = framed(request)
        self.ended, self.status, self.fork, self.next = False, None, self.next, 0
        if self.events.poll(0):
            self.gone |= self.hear()
        if not self.gone:
            try:
                self.gone = self.channel.sendmsg([message], rights) != len(message)
            except OSError:
                self.gone = True

    def hear(self) -> bool:
        """Read what it says, if anything. Returns whether the fork has ended, or the helper."""
        try:
            said = self.channel.recv(64)
        except BlockingIOError:
            self.gone = True  # there is nothing to read, so that it was its end that woke us
            return True
        self.gone |= not said
        *lines, self.said = (self.said + said).split(b"\n")
        for line in lines:
            word, _, number = line.partition(b" ")
            if word != FORK:
                self.ended = True
                self.status = int(number) if number else None
            elif self.ended:
                self.next = int(number)
            else:
                self.fork = int(number)
        return self.gone or self.ended

    def wait(self) -> None:
        """Wait, but not for long, until it has said how a fork ended that was killed."""
        end = time.monotonic() + MOMENT
        while not (self.ended or self.gone):
            if self.events.poll(max(0, end - time.monotonic())):
                self.hear()
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


_helpers: dict[tuple[object, ...], Helper | None] = {}
"""By bot, those of the last matches last; None for one that does not come up."""


def seat(bots: Iterable[Bot]) -> None:
    """Before a match: where there are too many helpers, end those that were not used for longest.

    Those of ``bots`` are kept: a bot that finds no room in a large match starts cold.
    """
    seated = dict.fromkeys(key(bot) for bot in bots if script(bot))
    for one in seated:
        if one in _helpers:
            _helpers[one] = _helpers.pop(one)
    spare = [one for one in _helpers if one not in seated]
    for one in spare[: max(0, len(spare) + len(seated) - MOST)]:
        drop(one)


def run(
    bot: Bot, home: Path, bot_seed: str, arguments: Sequence[str], time_limit: float
) -> Outcome | None:
    """Run the bot's script once, as :func:`process.run` does; None if it has to be run cold."""
    one = key(bot)
    for _ in range(2):  # the first helper may have been ended by what an earlier decision left
        helper = _helper(one, bot)
        if helper is None:
            break
        try:
            outcome = helper.run(home, bot_seed, arguments, time_limit)
        except BaseException as error:
            drop(one)
            process.check_means(error)
            raise
        if helper.gone:
            drop(one)
        if outcome is not None or not helper.gone:
            return outcome
    return None


def key(bot: Bot) -> tuple[object, ...]:
    """What bots have in common that can have the same helper."""
    return bot.command, bot.files, *environment("").values()


def _helper(one: tuple[object, ...], bot: Bot) -> Helper | None:
    """The helper of a bot, started if need be."""
    if one not in _helpers:
        file = script(bot)
        if file is None or len(_helpers) >= MOST:
            return None
        helper = None
        with suppress(OSError, ValueError):
            helper = Helper(bot, file, environment(NO_SEED))
        _helpers[one] = helper
        if helper is not None and helper.gone:
            helper.end()
            _helpers[one] = None
    return _helpers[one]


def drop(one: tuple[object, ...]) -> None:
    """End a helper. The next decision may start another."""
    helper = _helpers.pop(one)
    if helper is not None:
        helper.end()


def end() -> None:
    """End all helpers."""
    for one in list(_helpers):
        drop(one)


def _forget() -> None:
    """In a fork of this process: the helpers are not its own."""
    for helper in _helpers.values():
        if helper is not None:
            helper.forget()
    _helpers.clear()


atexit.register(end)
os.register_at_fork(after_in_child=_forget)
