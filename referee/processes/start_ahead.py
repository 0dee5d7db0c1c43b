"""Start a bot's command before its question, so that its interpreter is ready in time.

The interpreter starts with a program of :mod:`referee.in_bot` that waits for the bot's arguments on
standard input. No code of the bot runs before they come. The bot then finds the arguments, the
environment and the empty standard input of an ordinary start.
"""

from __future__ import annotations

import fcntl
import os
import termios
from collections.abc import Sequence
from pathlib import Path

from referee.bot import Bot
from referee.errors import check_resources
from referee.outcome import Outcome
from referee.processes import limits
from referee.processes.ahead_command import command
from referee.processes.fork_client import ForkServer
from referee.processes.processor_time import Watch

END_TIMEOUT = 0.5
"""Seconds that a server may take to report the end of a process that was killed."""


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
            check_resources(error)
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
        is_usable = words and waiting.takes(words) and words.count(0) == len(arguments)
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

    def takes(self, arguments: bytes) -> bool:
        """Return whether the pipe takes the arguments at once: the process may not read them."""
        return len(arguments) <= fcntl.fcntl(self.arguments, fcntl.F_GETPIPE_SZ)

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
        self.server.kill()
        self.server.wait(END_TIMEOUT)
        self.close()

    def close(self) -> None:
        """Close the referee's ends of the pipes."""
        for pipe in self.pipes:
            os.close(pipe)
