"""Run a class bot in its own process: in one match, or in a batch of them if it shares nothing.

The worker reads marshalled messages from standard input, one at a time. The first is a
:data:`Request`; every other one is a :data:`Step`. It writes lines to standard output:

    ready                      when it has the request and nothing of the bot is loaded
    load, construct, update    after each of these parts of a step, if the process serves one match
    05010a                     answers in the order of the matches: a byte each, in hexadecimal
    [ANSWER, …]                the same in JSON, if one is no byte

An answer is a 64-bit integer, a text that stands for any other choice, or the part in which the bot
failed, with the traceback. An error ends a process that serves one match. It ends a batch only if
it depends on more than one match, such as a lack of memory.

All matches of a batch use the same class. The instances, ``os.environ`` and the generator of
:mod:`random` belong to one match. The referee makes sure that nothing else is shared
(referee/self_contained).

This file imports nothing of Koth, and little else, so that a bot finds a plain interpreter.
"""

from __future__ import annotations

import _frozen_importlib as importlib_core
import _frozen_importlib_external as importlib_files
import _operator as operator  # ``operator`` may be a module of the bot's own
import gc
import marshal
import os
import sys
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    # A fork server for all bots loads the modules that this file imports: here, those of most bots.
    import bisect  # noqa: F401
    import collections  # noqa: F401
    import functools  # noqa: F401
    import heapq  # noqa: F401
    import itertools  # noqa: F401
    import math  # noqa: F401
    import random  # noqa: F401
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Seat = tuple[int, str, int]
    """A bot's index in a match, its seed, and the number of seats."""
    Request = tuple[str, bytes, str, Mapping[str, str], Mapping[int, Seat]]
    """The bot's file, its source in a batch, its class, its environment without the seed, and its
    seat in each match."""
    Step = tuple[bool, bool, bytes, Sequence[int]]
    """Whether to construct (else update), whether to select, the matches (one byte each), and the
    last choices in these matches."""
    Answer = int | str | tuple[str, str]
    """A choice, the text of one that is no integer, or the part that failed and its traceback."""

NAME = "koth_class_worker.py"
"""The name of this file in a bot's folder, until it runs."""

SEED = "KOTH_BOT_SEED"

QUICK = 0.05
"""Seconds of a step after which the answers of the next one are sent one by one."""

CAP = 64 * 1024
LONG = 1 << 63


def main() -> None:
    """Serve messages until the referee closes the pipe."""
    try:  # noqa: SIM105 contextlib is not loaded in a plain interpreter
        os.unlink(NAME)  # noqa: PTH108
    except OSError:
        pass
    messages, pipe = take_over_pipes()
    request = receive(messages)
    os.write(pipe, b"ready\n")
    if len(request[-1]) == 1:
        play_match(messages, pipe, request)
    shared = SharedBot(request, lambda answers: os.write(pipe, encoded(answers)))
    while True:  # until this process is killed
        step = receive(messages)
        shared.step(*step)
        if step[0]:
            gc.freeze()  # the instances live until the matches end


def take_over_pipes() -> tuple[int, int]:
    """Return descriptors for messages and answers; hide the pipes from the bot.

    The bot's standard output becomes its standard error, one line at a time, so that the referee
    has what a decision printed before its answer.
    """
    messages, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    stdout: Any = sys.stdout
    stdout.reconfigure(line_buffering=True)
    return messages, answers


def receive(messages: int) -> Any:
    """Return the next message. Raises EOFError at the end."""
    data = b""
    while part := os.read(messages, CAP):
        data += part
        try:
            return marshal.loads(data)
        except EOFError:
            continue  # it is longer than a pipe
    raise EOFError


def play_match(messages: int, pipe: int, request: Request) -> None:
    """Play one match. Raises the bot's errors."""
    file, _, class_name, _, seats = request
    [(index, _, _)] = seats.values()
    bot: Any = None
    while True:
        construct, select, _, choices = receive(messages)
        if construct:
            bot_class = load_module(file, class_name)
            os.write(pipe, b"load\n")
            bot = bot_class(index)
            os.write(pipe, b"construct\n")
        else:
            bot.update([*choices])
            os.write(pipe, b"update\n")
        choice = bot.select() if select else 0
        if type(choice) is not int or not -LONG <= choice < LONG:
            choice = answer_of(choice)
        os.write(pipe, encoded([choice]))


class Match:
    """The parts of a bot that belong to one match."""

    def __init__(self, index: int, seats: int, environment: dict[str, str]) -> None:
        self.index, self.seats = index, seats
        self.environ = like_environ(environment)
        self.bot: Any = None
        self.generator: Any = None
        self.failed = ""
        """The part of a step in which the bot failed; then ``bot`` is None, as after its end."""

    def fail(self, part: str, select: bool, error: Exception) -> Answer:
        """Return the answer after an error in a part of a step; no later step asks the bot."""
        if self.failed:
            return failing(self.failed, (part, "select") if select else (part,)), ""
        self.bot, self.failed = None, part
        return failure(part, error)


class SharedBot:
    """A bot in several matches; it passes its answers to ``send``."""

    def __init__(self, request: Request, send: Callable[[list[Answer]], object]) -> None:
        self.file, self.source, self.class_name, settings, seats = request
        self.send = send
        self.matches = {
            number: Match(index, size, {**settings, SEED: seed})
            for number, (index, seed, size) in seats.items()
        }
        self.current: list[Any] = [None]
        self.bot_class: Any = None
        self.quick = False
        """Whether the last step was quick, so that the next answers are sent together."""
        self.numbers = b""
        """The matches of the last step."""
        self.rows: list[tuple[Match, slice]] = []
        """These matches, each with the position of its choices in the message."""

    def step(self, construct: bool, select: bool, numbers: bytes, last: Sequence[int]) -> None:
        """Take a step in the matches with these numbers.

        Raises MemoryError, RecursionError or Unshareable, after which no match can go on here.
        """
        begun = monotonic()
        if numbers != self.numbers:
            self._serve(numbers)
        choices, current, quick = [*last], self.current, self.quick
        answers: list[Answer] = []
        try:
            for match, row in self.rows:
                current[0] = match
                part = "construct" if construct else "update"
                try:
                    if construct:
                        self.construct(match)
                    else:
                        match.bot.update(choices[row])
                    answer: Any = 0
                    if select:
                        part = "select"
                        answer = match.bot.select()
                        if type(answer) is not int or not -LONG <= answer < LONG:
                            answer = answer_of(answer)
                except (MemoryError, RecursionError, Unshareable):
                    raise
                except Exception as error:
                    answer = match.fail(part, select, error)
                answers.append(answer)
                if not quick:
                    self.send(answers)
                    answers = []
        finally:
            if answers:
                self.send(answers)
        self.quick = monotonic() - begun < QUICK

    def construct(self, match: Match) -> None:
        """Make the bot of a match. Raises the bot's errors, and RuntimeError if it has failed."""
        if match.failed:
            raise RuntimeError(match.failed)
        if self.bot_class is None:
            self.bot_class = load_shared(self.source, self.file, self.class_name, self.current)
        match.bot = self.bot_class(match.index)

    def _serve(self, numbers: bytes) -> None:
        self.numbers, self.rows, end = numbers, [], 0
        for number in numbers:
            begin, end = end, end + self.matches[number].seats
            self.rows.append((self.matches[number], slice(begin, end)))


def answer_of(value: object) -> Answer:
    """Return a choice as an integer (SU-9: ``int`` or has ``__index__``, but no ``bool``).

    Anything else, and an integer beyond 64 bits, becomes a text. It begins with the type; the value
    follows only if its text is the same in every run.
    """
    text = ""
    if type(value) is not bool:
        try:
            number = int(operator.index(value))  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            if -LONG <= number < LONG:
                return number
            text = "int beyond 64 bits"
    plain = type(value) in (bool, float, str, bytes, type(None))
    text = text or f"{type(value).__name__} {repr(value) if plain else 'object'}"
    return escaped(text)


def encoded(answers: list[Answer]) -> bytes:
    """Return the line that carries some answers."""
    try:
        text = bytes(answers).hex()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        text = json_of(answers)
    return text.encode() + b"\n"


def json_of(value: Any) -> str:
    """Return integers, escaped texts and sequences of them as JSON.

    The module json could be one of the bot's own.
    """
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", r"\\").replace('"', r"\"") + '"'
    return "[" + ",".join(map(json_of, value)) + "]"


def escaped(text: str) -> str:
    """Return a text in ASCII without control characters, cut off after CAP bytes."""
    return text.encode("unicode_escape")[:CAP].decode()


def failure(part: str, error: BaseException) -> Answer:
    """Return the answer of a bot that failed in a part."""
    return part, escaped(traceback_of(error, __file__))


def traceback_of(error: BaseException, file: str) -> str:
    """Return the traceback of a bot's error, without the frames of ``file``, which ran the bot."""
    import traceback

    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == file:
        frames = frames.tb_next
    text = "".join(traceback.format_exception(type(error), error, frames))
    return text.encode(errors="backslashreplace").decode()  # without surrogates


def failing(failed: str, parts: Sequence[str]) -> str:
    """Return the part of a step in which a bot fails that failed in a part of an earlier one.

    It is the same part again if the step has it, otherwise the first one.
    """
    return failed if failed in parts else parts[0]


def load_module(file: str, class_name: str) -> Any:
    """Import the bot's file as the interpreter would, and return its class."""
    sys.argv = [file]
    sys.dont_write_bytecode = True
    sys.path[0] = os.path.dirname(os.path.abspath(file))  # noqa: PTH100, PTH120
    name = os.path.splitext(os.path.basename(file))[0]  # noqa: PTH119, PTH122
    spec: Any = importlib_files.spec_from_file_location(name, os.path.abspath(file))  # noqa: PTH100
    module = sys.modules[name] = importlib_core.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, class_name)


# --- a batch -------------------------------------------------------------------------------------


def load_shared(source: bytes, file: str, class_name: str, current: list[Any]) -> Any:
    """Return the class from the source that was proven; it finds what the current match has."""
    module = type(sys)(os.path.splitext(os.path.basename(file))[0])  # noqa: PTH119, PTH122
    names = vars(module)
    names["__file__"] = file
    exec(compile(source, file, "exec", dont_inherit=True), names)
    own: dict[int, Any] = {id(os): MatchOs(current)}
    if random := sys.modules.get("random"):
        own[id(random)] = match_random = MatchRandom(current, random)
        own[id(random.Random)] = match_random.Random
    names.update({name: own[id(value)] for name, value in names.items() if id(value) in own})
    return names[class_name]


def like_environ(variables: Mapping[str, str]) -> Any:
    """Return an ``os.environ`` of these variables, with the same checks of keys and values."""
    kind, ours = type(os.environ), os.environ
    data: Any = {ours.encodekey(key): ours.encodevalue(value) for key, value in variables.items()}
    return kind(data, ours.encodekey, ours.decodekey, ours.encodevalue, ours.decodevalue)


class Unshareable(Exception):
    """Raised where a bot would notice that its process serves several matches."""


class MatchOs:
    """The module :mod:`os` as a bot of a batch finds it."""

    def __init__(self, current: list[Any]) -> None:
        self._current = current

    @property
    def environ(self) -> Any:
        """The variables of the current match."""
        return self._current[0].environ

    def getenv(self, key: str, default: Any = None) -> Any:
        """Return a variable of the current match."""
        return self._current[0].environ.get(key, default)


class MatchRandom:
    """The module :mod:`random` as a bot of a batch finds it: each match has its own generator."""

    def __init__(self, current: list[Any], random: Any) -> None:
        self._current = current
        self.SystemRandom = random.SystemRandom

        class Random(random.Random):  # type: ignore[misc]
            def seed(self, a: Any = None, version: int = 2) -> None:
                if a != a:  # the hash of a NaN is its address
                    raise Unshareable
                super().seed(a, version)

        self.Random = Random

    def __getattr__(self, name: str) -> Any:
        match = self._current[0]
        if match.generator is None:
            match.generator = self.Random()
        return getattr(match.generator, name)


if __name__ == "__main__":
    main()
