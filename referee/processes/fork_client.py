"""Start a bot's program in forks of a prepared process, the fork server.

A fork server is an interpreter that runs :mod:`referee.in_bot.fork_server`, with a bot's script
compiled. Each decision runs in a new fork of it, which finds the state of a fresh interpreter; if
the script shares nothing between its decisions, one fork may run many. The fork is made before the
request comes. Requests and replies pass over an unnamed socket that no script holds, so a bot
cannot report an exit status of its own.
"""

from __future__ import annotations

import errno
import os
import select
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from referee import in_bot
from referee.bot import Bot
from referee.errors import check_resources
from referee.in_bot.forks import spent
from referee.outcome import STDERR_TAIL, Outcome, ServerLost
from referee.processes import limits, preloaded, process, scratch_dir
from referee.processes.messages import framed, joined
from referee.processes.processor_time import Meter, Watch
from referee.self_contained.scripts import may_share_process

START_TIMEOUT = 60.0
"""Seconds that an interpreter may take to start; no code of the bot runs yet."""

REPLY_TIMEOUT = 5.0
"""Seconds that a fork server may take to report the exit of a fork that was killed."""

MAX_REQUEST = 100_000
"""Maximum bytes of a request for a script. A longer one starts the command, which may fail."""

FORK = b"fork"
ENDINGS = ENDED_BY, FAILED, COLD, DONE = b"ended", b"failed", b"cold", b"done"
MICROSECONDS = 1e6
ENDED = "the process that keeps the bot's interpreter ready was ended while the bot ran"

RUNNER = Path(in_bot.__file__).with_name("fork_server.py")


class ForkServer:
    """A process that forks for decisions, as the referee sees it."""

    isolation = "process"
    folder = str(RUNNER.parent)
    inherited: Sequence[int] = ()
    """Descriptors that its command needs."""

    def __init__(self, bot: Bot, script: str, settings: Mapping[str, str]) -> None:
        """Begin to start it with ``settings`` as its environment, and hand it the script.

        Without a ``script`` it can start commands only. Raises OSError or ValueError if the
        interpreter cannot be started. :meth:`prepare` waits until it is ready.
        """
        self.script, self.options, self.idle_since = script, bot.command[2:], 0.0
        self.channel, remote = socket.socketpair()
        try:
            words = self.command(bot, script, remote.fileno(), settings)
            self.process = subprocess.Popen(
                words,
                cwd="/",
                env=settings,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[remote.fileno(), *self.inherited],
                start_new_session=True,
            )
        except BaseException:
            self.channel.close()
            raise
        finally:
            remote.close()
        self.exited = os.pidfd_open(self.process.pid)
        self.events = select.epoll()
        self.events.register(self.channel, select.EPOLLIN)
        self.events.register(self.exited, select.EPOLLIN)
        self.partial_line = b""
        self.fork = self.next = 0
        self.ended, self.gone, self.error = True, False, 0
        self.started = False
        self.status: int | None = None
        self.spent = (0, 0)
        """Microseconds for which the last decision ran, and waited for a processor."""
        self.total = (0, 0)
        """The same for all decisions of the fork."""
        self.channel.settimeout(START_TIMEOUT)
        try:
            self.channel.sendall(framed(dict(bot.files)[script].content if script else b""))
        except OSError:
            self.gone = True
        except BaseException:
            self.end()
            raise
        self.channel.setblocking(False)

    @classmethod
    def key(cls, bot: Bot, script: str) -> tuple[object, ...]:
        """Return an equal key for two bots if one server can serve both."""
        return (bot.command, bot.files) if script else ()

    def command(
        self, bot: Bot, script: str, channel: int, settings: Mapping[str, str]
    ) -> Sequence[str]:
        """Return the server's command line. With a ``script`` it is the bot's interpreter."""
        program = bot.command[0] if script else sys.executable
        modules = preloaded.modules(bot) if script else ()
        begin = f"import sys; sys.path[0] = {self.folder!r}; from {RUNNER.stem} import main; "
        words = [program, "-c", begin + "main(*sys.argv[1:])", str(channel), self.isolation]
        stays = "stays" if script and may_share_process(bot) else ""
        return [*words, limits.text(self.isolation), stays, script, *modules]

    def finish_start(self) -> None:
        """Wait for the first fork. A server that does not start is ``gone``."""
        self.started = True
        self.await_fork(START_TIMEOUT)

    def await_fork(self, patience: float = REPLY_TIMEOUT) -> None:
        """Wait for the fork that takes the next request, or for the end of the server."""
        while not (self.next or self.gone):
            if self.events.poll(patience):
                self.read_messages()
            else:
                self.gone = True

    def is_alive(self) -> bool:
        """Return whether the server can be used, after reading what it reported."""
        if not self.gone and self.events.poll(0):
            self.read_messages()
        return not self.gone

    def prepare(self) -> bool:
        """Make it ready for a new user. Return False if that is not possible."""
        if not self.started:
            self.finish_start()
        return self.is_alive()

    def release(self) -> None:
        """Clean up after a user."""

    # --- one decision ---

    def decide(
        self, bot: Bot, home: Path | str, seed: str, arguments: Sequence[str], time_limit: float
    ) -> Outcome:
        """Run ``bot`` once in the folder ``home``: its script in a fork, or else its command.

        Raises ServerLost, or RefereeError if the system lacks the resources.
        """
        outcome = None
        try:
            if self.script:
                outcome = self.run_script(home, seed, arguments, time_limit)
            if outcome is None and not self.gone:
                outcome = self.run_command(home, seed, [*bot.command, *arguments], time_limit)
        except BaseException as error:
            self.gone = True  # the bot may still run
            check_resources(error)
            raise
        if outcome is None:
            raise ServerLost
        return outcome

    def run_script(
        self, home: Path | str, bot_seed: str, arguments: Sequence[str], time_limit: float
    ) -> Outcome | None:
        """Run the script to its end; None if it did not start and must run as a command."""
        try:
            request = self.script_request(home, bot_seed, limits.cpu_seconds(time_limit), arguments)
        except ValueError:
            return None
        return None if len(request) > MAX_REQUEST else self.exchange(request, time_limit)

    def run_command(
        self, home: Path | str, bot_seed: str, command: Sequence[str], time_limit: float
    ) -> Outcome | None:
        """Run a command to its end; None if the server ended before the command started.

        The fork sets its limits before it becomes the command. Raises RefereeError if the system
        lacks the resources to start it.
        """
        try:
            request = self.command_request(home, bot_seed, limits.cpu_seconds(time_limit), command)
        except ValueError as error:
            return Outcome(error=str(error))
        outcome = self.exchange(request, time_limit)
        if self.error:
            return Outcome(error=self.start_error(command[0]))
        return outcome

    def start_error(self, program: str) -> str:
        """Return why a command with this program could not start, or ``""``.

        Raises RefereeError if the system lacks the resources.
        """
        if not self.error:
            return ""
        failure = OSError(self.error, os.strerror(self.error), program)
        if self.error != errno.EIO:  # a damaged program, which a bot may have written itself
            check_resources(failure)
        in_scratch = self.isolation != "sandbox" and not Path(program).is_absolute()
        if self.error == errno.EACCES and in_scratch and not scratch_dir.starts_programs():
            place = f"{scratch_dir.parent()}, which is mounted with noexec"
            return f"{failure}: it is in {place}. Name another folder in TMPDIR"
        return str(failure)

    def script_request(
        self, home: Path | str, bot_seed: str, cpu_seconds: int, arguments: Sequence[str] = ()
    ) -> bytes:
        """Return the request to run the script. Raises ValueError if a word contains NUL."""
        return joined(["run", str(home), bot_seed, str(cpu_seconds), *self.options, *arguments])

    def command_request(
        self, home: Path | str, bot_seed: str, cpu_seconds: int, command: Sequence[str]
    ) -> bytes:
        """Return the request to start a command. Raises ValueError if a word contains NUL."""
        return joined(["start", str(home), bot_seed, str(cpu_seconds), *command])

    def meter(self) -> Meter:
        """Measure the server and its fork: on a busy machine the fork itself may start late."""
        return Meter(self.process.pid)

    def exchange(self, request: bytes, time_limit: float) -> Outcome | None:
        """Send a request and read the output until the fork ends; None if it did not start."""
        pipes: Sequence[int] = ()
        try:
            watch = Watch(time_limit, self.meter)
            pipes = out, err = self.ask_with_pipes(request)
            return None if self.gone else self.collect(out, err, watch)
        finally:
            for pipe in pipes:
                os.close(pipe)

    def collect(self, out: int, err: int, watch: Watch) -> Outcome | None:
        """Read the output until the fork ends; None if it did not start."""
        events = self.events.fileno()
        outcome = process.read_output(out, err, events, self.read_messages, self.kill, watch)
        if not self.ended:
            self.wait()
        return None if self.ended and self.status is None else self.completed(outcome, watch)

    def completed(self, outcome: Outcome, watch: Watch) -> Outcome:
        """Add the exit status and the times of a fork that ended."""
        outcome.exit = self.status
        outcome.error = "" if self.ended else ENDED
        outcome.seconds = watch.wall
        outcome.computed, outcome.waited = (number / MICROSECONDS for number in self.spent)
        if watch.meter is not None:
            outcome.computed = max(outcome.computed, watch.meter.computed)
            outcome.waited = max(outcome.waited, watch.meter.waited)
        # The fork existed, and may have waited, before the request.
        outcome.waited = min(outcome.waited, outcome.seconds)
        return outcome

    # --- messages ---

    def ask_with_pipes(self, request: bytes, stdin: bool = False) -> Sequence[int]:
        """Send a request; return pipes from standard output and error, and one to any input.

        Raises OSError if no more files can be opened.
        """
        ends: list[int] = []
        try:
            for _ in range(3 if stdin else 2):
                ends += os.pipe()
            ends[4:] = ends[:3:-1]  # the input goes the other way
            self.ask(request, *ends[1::2])
        except BaseException:
            for end in ends[::2]:
                os.close(end)
            raise
        finally:
            for end in ends[1::2]:
                os.close(end)
        return ends[::2]

    def open_fork(self) -> int:
        """Return a new descriptor of the fork that takes the next request. Raises OSError."""
        return os.pidfd_open(self.next)

    def ask(self, request: bytes, *pipes: int) -> None:
        """Send a request with descriptors for standard output, standard error and any input."""
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
                    self.channel.settimeout(REPLY_TIMEOUT)
                    self.channel.sendall(message[sent:])
                    self.channel.setblocking(False)
            except OSError:
                self.gone = True

    def read_messages(self) -> bool:
        """Read the messages that arrived. Return whether the fork or the server has ended."""
        try:
            data = self.recv()
        except (BlockingIOError, ConnectionError):
            self.gone = True  # nothing to read: the event was the server's exit
            return True
        self.gone |= not data
        *lines, self.partial_line = (self.partial_line + data).split(b"\n")
        for line in lines:
            word, *numbers = line.split()
            if word in ENDINGS:
                self.end_of_fork(word, *map(int, numbers))
            elif word == FORK:
                self.total = (0, 0)
                if self.ended:
                    self.next = int(numbers[0])
                else:
                    self.fork = int(numbers[0])
            else:
                self.on_unknown(word)
        return self.gone or self.ended

    def end_of_fork(self, word: bytes, number: int = 0, *times: int) -> None:
        """Record that the fork has ended or is done, or that it did not start."""
        self.ended = True
        if word == DONE:
            self.status, self.next = 0, self.fork
            self.account(number, *times)
            self.fork = 0  # it is not killed
        elif word == ENDED_BY:
            self.status = number
            self.account(*(times or spent(self.fork)))  # a sandbox numbers its own processes
        elif word == FAILED:
            self.error = number

    def account(self, computed: int, waited: int) -> None:
        """Take the times of a fork since its start: those of the last decision are new."""
        before, self.total = self.total, (computed, waited)
        self.spent = max(0, computed - before[0]), max(0, waited - before[1])

    def recv(self) -> bytes:
        """Receive bytes from the server. Raises BlockingIOError if none has arrived."""
        return self.channel.recv(64)

    def on_unknown(self, word: bytes) -> None:
        """Handle any other message: no more can be trusted."""
        self.gone = True

    # --- its end ---

    def wait(self, patience: float = REPLY_TIMEOUT) -> None:
        """Wait at most ``patience`` seconds for the report on a fork that was killed."""
        end = time.monotonic() + patience
        while not (self.ended or self.gone):
            if self.events.poll(max(0, end - time.monotonic())):
                self.read_messages()
                self.kill()
            else:
                self.gone = True

    def kill(self) -> None:
        """Kill the fork and its process group.

        The server has not reaped the fork, so no other process can have its number.
        """
        if self.fork > 0:
            process.kill_group(self.fork)

    def end(self) -> None:
        """End the server, the fork that ran last and the fork that waits."""
        self.kill()
        self.forget()
        process.kill_group(self.process.pid)  # before it is reaped, and its number free
        self.process.wait()

    def forget(self) -> None:
        """Close the channel and all descriptors; without its channel the server ends."""
        self.gone = True
        self.channel.close()
        self.events.close()
        os.close(self.exited)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    def error_message(self) -> str:
        """Return the last line that a server which did not start wrote to standard error."""
        assert self.process.stderr is not None
        os.set_blocking(self.process.stderr.fileno(), False)
        text = self.process.stderr.read(STDERR_TAIL) or b""
        lines = text.decode(errors="replace").strip().splitlines()
        return lines[-1].strip().rstrip(".") if lines else "no reason was given"
