"""Start a bot's command before its question, so that its interpreter is ready in time.

The interpreter starts with a program of :mod:`referee.in_bot` that waits for the bot's arguments on
standard input. No code of the bot runs before they come. The bot then finds the arguments, the
environment and the empty standard input of an ordinary start.
"""

from __future__ import annotations

import fcntl
import os
import re
import termios
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from referee.bot import Bot, BotFile
from referee.processes import limits, process
from referee.processes.fork_client import ForkServer
from referee.processes.process import Outcome
from referee.processes.processor_time import Watch

MAX_ARGUMENTS = 60_000
"""Maximum bytes of arguments: a new pipe takes so many at once."""

END_TIMEOUT = 0.5
"""Seconds that a server may take to report the end of a process that was killed."""

_NODE, _RUBY = re.compile(r"node(js)?"), re.compile(r"ruby[0-9.]*")

_JAVA_OPTION = re.compile(
    r"-X(m[nsx]|ss)[0-9]+[kKmMgG]?|-Xint|-Xshare:[a-z]+|-XX:.+|-D.+|-(ea|da|server)"
)
"""Options of Java that do not change the meaning of the words after them."""

_STACK_TRACES = b"StackTrace", b"StackWalker"
"""Parts of the names in a class file that looks at stack traces."""

_CLASS_PATH = ("-cp", "-classpath", "--class-path")
_CLASS_NAME = re.compile(r"[\w$]+(\.[\w$]+)*")


def command(bot: Bot, folder: str) -> Sequence[str]:
    """Return the command that starts ``bot`` ahead; none if only an ordinary start is the same.

    ``folder`` is the path of :mod:`referee.in_bot` for the bot.
    """
    program, *words = bot.command
    files = dict(bot.files)
    if program.removeprefix("./") in files and "/" in program:
        words = [program, *words]
        program = bot.programs[0] if len(bot.programs) == 1 else ""
    name = Path(program).name
    if name == "java":
        return _java(program, words, folder, map(_content, bot.files))
    if not words or words[0].removeprefix("./") not in files:
        return ()
    if _NODE.fullmatch(name):
        return [program, "-r", f"{folder}/ahead.js", *words]
    if _RUBY.fullmatch(name):
        return [program, "-r", f"{folder}/ahead.rb", *words]
    if name == "Rscript":
        return ["env", f"R_PROFILE_USER={folder}/ahead.R", program, *words]
    return ()


def _java(program: str, words: Sequence[str], folder: str, files: Iterable[bytes]) -> Sequence[str]:
    """Return the command for a class of Java; none for a JAR, a module or a source file.

    A frame of Koth is hidden in the stack traces of a bot that may look at them.
    """
    options, path = 0, "."
    while options < len(words):
        if words[options] in _CLASS_PATH and options + 1 < len(words):
            path = words[options + 1]
            options += 2
        elif _JAVA_OPTION.fullmatch(words[options]):
            options += 1
        else:
            break
    first = words[options] if options < len(words) else ""
    if ":" in folder or not _CLASS_NAME.fullmatch(first) or first.endswith(".java"):
        return ()
    may_look = any(word in content for content in files for word in _STACK_TRACES)
    shown = ["-Xbootclasspath/a:" + folder] if may_look else ["-cp", f"{path}:{folder}"]
    return [program, *words[:options], *shown, "KothAhead", *words[options:]]


def _content(file: tuple[str, BotFile]) -> bytes:
    """Return the content of a file, or of a JAR a text that may look at stack traces."""
    name, content = file
    return _STACK_TRACES[0] if name.endswith(".jar") else content.content


class Ahead:
    """The process of one bot that waits for its arguments, if any."""

    def __init__(self, bot: Bot, time_limit: float) -> None:
        self.bot, self.time_limit = bot, time_limit
        self.possible = bool(command(bot, ""))
        """Whether no process waits, and one can be started."""
        self._waiting: _Waiting | None = None

    def start(self, server: ForkServer, home: Path | str, bot_seed: str) -> None:
        """Have ``server`` start the bot in the folder ``home``.

        Raises RefereeError if the system lacks the resources.
        """
        words = command(self.bot, server.folder)
        self.possible = False
        try:
            seconds = limits.cpu_seconds(self.time_limit)
            request = server.command_request(home, bot_seed, seconds, words)
            server.await_fork()
            self._waiting = _Waiting(server, bot_seed, request)
        except ValueError:
            return  # a word that no command can have
        except BaseException as error:
            server.gone = True
            process.check_resources(error)
            raise

    def finish(self, bot_seed: str, arguments: Sequence[str]) -> Outcome | None:
        """Hand over the arguments, and wait for the end of the process.

        Return None if none waits, or if it ended before it took the arguments. No code of the bot
        has run then, and it has to be started in the ordinary way.
        """
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return None
        words = b"".join(os.fsencode(word) + b"\0" for word in arguments)
        is_usable = words and len(words) <= MAX_ARGUMENTS and words.count(0) == len(arguments)
        if not is_usable or bot_seed != waiting.bot_seed or waiting.has_ended():
            waiting.end()
        else:
            outcome = waiting.run(words, self.time_limit)
            self.possible = outcome is not None
            return outcome
        return None

    def abandon(self) -> None:
        """End a process that waits."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.end()


class _Waiting:
    """A process that waits for the arguments of its bot."""

    def __init__(self, server: ForkServer, bot_seed: str, request: bytes) -> None:
        self.server, self.bot_seed = server, bot_seed
        self.out, self.err, self.arguments = server.ask_with_pipes(request, stdin=True)
        self.pipes = [self.out, self.err, self.arguments]
        try:
            self.unread = os.open(f"/proc/self/fd/{self.arguments}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.close()
            raise
        self.pipes.append(self.unread)

    def has_ended(self) -> bool:
        """Return whether the process or its server has ended."""
        return not self.server.is_alive() or self.server.ended

    def run(self, arguments: bytes, time_limit: float) -> Outcome | None:
        """Hand over the arguments; None if the process ended before it took them."""
        try:
            watch = Watch(time_limit, self.server.meter)
            os.write(self.arguments, arguments)
            os.dup2(self.unread, self.arguments, inheritable=False)  # closes the standard input
            outcome = self.server.collect(self.out, self.err, watch)
            left = fcntl.ioctl(self.unread, termios.FIONREAD, bytes(4))
        except BaseException:
            self.server.gone = True
            raise
        finally:
            self.close()
        if outcome is None or any(left):
            return None
        outcome.ahead = True
        return outcome

    def end(self) -> None:
        """End the process, or its server too if that does not report the end.

        The server does not if the process was killed before it took its request.
        """
        server = self.server
        server.kill()
        end = time.monotonic() + END_TIMEOUT
        while not (server.ended or server.gone):
            if server.events.poll(max(0, end - time.monotonic())):
                server.read_messages()
            else:
                server.gone = True
        self.close()

    def close(self) -> None:
        """Close the referee's ends of the pipes."""
        for pipe in self.pipes:
            os.close(pipe)
