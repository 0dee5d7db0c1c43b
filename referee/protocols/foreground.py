"""Ask one bot on this terminal, without limits and without a sandbox, for debugging.

The bot gets the questions to its seat. All but the last are silent: they only bring the bot, or its
scratch folder, into the state that it had in the match.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
import tty
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import cast

from games.table import Answer, ArgvCall, Ask, Fault, JointAsk, Reply, StreamCall
from referee import in_bot
from referee.environment import environment
from referee.errors import check_resources
from referee.in_bot import forks
from referee.outcome import Outcome
from referee.processes import scratch_dir
from referee.processes.process import PIPE_READS
from referee.protocols import argv, file
from referee.protocols.base import Seating
from referee.protocols.class_ import reply_of
from referee.protocols.class_process import choices_in, framed, parts_of
from referee.protocols.stream import line_of
from referee.protocols.workspace import FolderWorkspace
from schema import seal
from schema.bot_output import CAP
from schema.contract import LOADING

PROGRAM = str(Path(in_bot.__file__).with_name("foreground.py"))
"""The program that runs a Python bot."""

QUIET = 0.1
"""Seconds without output after the end of a bot, after which its children are not waited for."""

SILENT = "-1"


def ask(questions: Sequence[Ask | JointAsk], seat: int, seating: Seating) -> list[Reply | None]:
    """Put ``questions`` to the bot of ``seat``, the last one on the terminal; return its replies.

    If the bot keeps nothing between decisions, only the last question is put. A reply is None if
    the rules expected none.
    """
    with scratch_dir.folder() as folder, ExitStack() as stack:
        bot = seating.bots[seat]
        home = folder / bot.name
        with scratch_dir.writing(folder.parent):
            bot.install(home)
        if isinstance(questions[-1], JointAsk):
            return ask_class(cast(Sequence[JointAsk], questions), seat, seating, home)
        if isinstance(questions[-1].observation, StreamCall):
            return ask_stream(cast(Sequence[Ask], questions), seating, home)
        workspace = ForegroundWorkspace(bot, home, seating, stack)
        return ask_script(cast(Sequence[Ask], questions), seating, workspace)


@contextmanager
def nothing_left() -> Iterator[None]:
    """Kill the processes that a bot leaves, as in a match."""
    kept: set[int] = set()
    with suppress(OSError):
        kept = forks.children()
    forks.adopt_orphans()
    try:
        yield
    finally:
        forks.end_children(kept)
        forks.adopt_orphans(False)


# --- scripts -------------------------------------------------------------------------------------


class ForegroundWorkspace(FolderWorkspace):
    """A workspace whose bot runs without limits, silently or on this terminal."""

    on_terminal = False

    @nothing_left()
    def run(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """Run the bot once."""
        try:
            if self.on_terminal:
                return self._run_on_terminal(bot_seed, arguments)
            process = subprocess.Popen(
                self._command(SILENT, arguments),
                cwd=self.home,
                env=environment(bot_seed),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        except OSError as error:
            check_resources(error)
            if self.on_terminal:
                show(error)
            return Outcome(error=str(error))
        with process, killed_on_interrupt(process):
            assert process.stdout is not None
            output = copied(process.stdout.fileno(), process, silent=True)
        return Outcome(exit=process.returncode, output=output)

    def _command(self, terminal: str, arguments: Sequence[str]) -> list[str]:
        program, *words = self.bot.command
        runner = [PROGRAM, "script", terminal] if self.bot.script else []
        return [program, *runner, *words, *arguments]

    def _run_on_terminal(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """Run the bot with a terminal of its own as standard output, and copy what it writes.

        So its output can be kept, although it is shown. Standard input and error are the user's.
        """
        with shown_output() as (read, written), uninterrupted():
            terminal = os.dup(1)
            try:
                process = subprocess.Popen(
                    self._command(str(terminal), arguments),
                    cwd=self.home,
                    env=with_terminal(environment(bot_seed)),
                    stdout=written,
                    pass_fds=[terminal],
                )
            finally:
                os.close(terminal)
                os.close(written)
            with killed_on_interrupt(process):
                output = copied(read, process)
                return Outcome(exit=process.wait(), output=output)


def ask_script(
    questions: Sequence[Ask], seating: Seating, workspace: ForegroundWorkspace
) -> list[Reply | None]:
    """Ask a script; a scratch folder that is kept for the match gets all questions."""
    first = 0 if seating.scratch == "match" else len(questions) - 1
    replies: list[Reply | None] = []
    for number, question in list(enumerate(questions))[first:]:
        workspace.on_terminal = number == len(questions) - 1
        put = argv.ask if isinstance(question.observation, ArgvCall) else file.ask
        bot_seed = seal.bot_seed(seating.seed, question.seat, number)
        reply, _, _ = put(question, bot_seed, workspace)
        replies.append(reply)
    return replies


@contextmanager
def shown_output() -> Iterator[tuple[int, int]]:
    """Open a pseudo-terminal as large as the user's: its end to read, and the one to write."""
    read, written = pty.openpty()
    try:
        tty.setraw(written)  # no byte changes on its way
        with suppress(OSError):  # standard output may be no terminal
            size = fcntl.ioctl(1, termios.TIOCGWINSZ, bytes(8))
            fcntl.ioctl(written, termios.TIOCSWINSZ, size)
        yield read, written
    finally:
        os.close(read)


def copied(read: int, process: subprocess.Popen[bytes], silent: bool = False) -> bytes:
    """Copy what a process writes to standard output, unless ``silent``, until it ends.

    Return at most ``CAP + 1`` bytes of it. A child that it left may hold the pipe open, or write.
    """
    output, reads_left = b"", PIPE_READS
    poll = select.poll()
    poll.register(read, select.POLLIN)
    while reads_left:
        is_ready, has_ended = bool(poll.poll(QUIET * 1000)), process.poll() is not None
        if not is_ready:
            if has_ended:
                return output
            continue
        reads_left -= has_ended
        try:
            data = os.read(read, CAP)
        except OSError:  # EIO: no process has the other end of the terminal
            return output
        if not data:  # nor of the pipe
            return output
        output += data[: CAP + 1 - len(output)]
        if not silent:
            with suppress(OSError):  # the command itself will report that nobody can read it
                os.write(1, data)
    return output


# --- bots that read lines -------------------------------------------------------------------------


@nothing_left()
def ask_stream(questions: Sequence[Ask], seating: Seating, home: Path) -> list[Reply | None]:
    """Put one line after another to one process; after its first fault, each reply is that fault.

    Standard output is a pipe, as in a match: a bot that does not flush it gives no answer. Each
    silent question has ten times the time limit. The last one has none, and no line follows it.
    """
    seat = questions[-1].seat
    bot, seed = seating.bots[seat], seal.bot_seed(seating.seed, seat)
    keyboard, terminal = os.dup(0), os.dup(1)
    runner = [PROGRAM, "stream", *map(str, (keyboard, terminal, len(questions) - 1))]
    program, *words = bot.command
    try:
        process = subprocess.Popen(
            [program, *(runner if bot.script else []), *words],
            cwd=home,
            env=with_terminal(environment(seed)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            pass_fds=[keyboard, terminal] if bot.script else [],
        )
    except OSError as error:
        check_resources(error)
        show(error)
        return [Fault("crash")] * len(questions)
    finally:
        os.close(keyboard)
        os.close(terminal)
    with uninterrupted(), process:
        try:
            return replies_to_lines(questions, process, seating.time_limit * LOADING)
        finally:
            process.kill()


def replies_to_lines(
    questions: Sequence[Ask], process: subprocess.Popen[bytes], limit: float
) -> list[Reply | None]:
    """Return the replies of a process; a silent question has ``limit`` seconds."""
    assert process.stdin is not None
    assert process.stdout is not None
    replies: list[Reply | None] = []
    output, lines = b"", process.stdout.fileno()
    for number, question in enumerate(questions, 1):
        with suppress(BrokenPipeError):  # it has ended
            process.stdin.write(line_of(question).encode() + b"\n")
        if number < len(questions):
            output, kind = silent_line(lines, output, limit)
        else:
            process.stdin.close()
            output += copied(lines, process)
            kind = "timeout" if process.wait() == -signal.SIGKILL else "crash"
        line, newline, output = output.partition(b"\n")
        if not newline or len(line) > CAP:
            kind = "oversize" if len(line) > CAP else kind
            fault = Fault(kind, {} if kind == "timeout" else {"output": line[: CAP + 1]})
            return [*replies, fault, *[Fault(kind)] * (len(questions) - number)]
        replies.append(Answer({"output": line}))
    return replies


def silent_line(lines: int, output: bytes, limit: float) -> tuple[bytes, str]:
    """Read until ``output`` has a line; return it, and the fault that counts if it has none."""
    end = time.monotonic() + limit
    while b"\n" not in output and len(output) <= CAP:
        ready, _, _ = select.select([lines], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return output, "timeout"
        data = os.read(lines, CAP)
        if not data:
            break
        output += data
    return output, "crash"


# --- class bots ----------------------------------------------------------------------------------


@nothing_left()
def ask_class(
    questions: Sequence[JointAsk], seat: int, seating: Seating, home: Path
) -> list[Reply | None]:
    """Ask a class bot in one interpreter."""
    steps = [(last is None, bool(legal), list(last or ())) for _, (last,), legal in questions]
    bot = seating.bots[seat]
    request = framed((bot.command[-1], bot.class_name, seat, steps))
    messages, replies = os.memfd_create("steps"), os.memfd_create("answers")
    with open(messages, "wb+") as sent, open(replies, "rb") as answers, uninterrupted():  # noqa: PTH123
        sent.write(request)
        sent.flush()
        os.lseek(messages, 0, os.SEEK_SET)
        try:
            subprocess.run(
                [bot.command[0], PROGRAM, "class", str(messages), str(replies)],
                cwd=home,
                env=with_terminal(environment(seal.bot_seed(seating.seed, seat))),
                pass_fds=[messages, replies],
                check=False,
            )
        except OSError as error:
            check_resources(error)
            show(error)
        os.lseek(replies, 0, os.SEEK_SET)
        lines = answers.read().splitlines()
    return replies_in(questions, lines)


def replies_in(questions: Sequence[JointAsk], lines: Sequence[bytes]) -> list[Reply | None]:
    """Return the replies in the lines of a class bot; after its failure, each is that failure.

    A line that is not due, which the bot itself must have written, is a failure, too.
    """
    replies: list[Reply | None] = []
    remaining = iter(lines)
    for question in questions:
        construct = question.observation.choices is None
        for part in parts_of(construct, True):
            line = next(remaining, b"")
            choices = choices_in(line, alone=True)
            is_due = len(choices) == 1 if part == "select" else line == part.encode()
            if not is_due:
                failures = [Fault("crash", during=part)] * (len(questions) - len(replies))
                return [*replies, *failures]
        replies.append(reply_of(choices[0], question))
    return replies


# --- the terminal --------------------------------------------------------------------------------


def show(error: OSError) -> None:
    """Say on standard error why a bot cannot start."""
    print(f"koth: the bot cannot start: {error.filename}: {error.strerror}.", file=sys.stderr)


def with_terminal(variables: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment of a bot, and the kind of the terminal for its debugger."""
    return {**variables, **({"TERM": os.environ["TERM"]} if "TERM" in os.environ else {})}


@contextmanager
def killed_on_interrupt(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kill a bot if an error ends the block, such as the interrupt that SIGTERM becomes."""
    try:
        yield
    except BaseException:
        process.kill()
        process.wait()
        raise


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Leave Ctrl-C to the bot and its debugger, which have it as their own."""
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
