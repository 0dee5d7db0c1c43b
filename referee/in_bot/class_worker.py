"""Runs a class bot in its own process: in one match, or, if it shares nothing, in many at once.

Messages come in on standard input, answers go out on standard output. Each message has its length
in four bytes in front and is marshalled. The first is the :data:`Request`, each other one a
:data:`Step` of some matches, which all of these take. What goes out:

    ready NEWLINE              before anything of the bot is loaded
    load, construct, update    one line for each, when it is done, where there is one match
    = N CHOICES                N matches are done: a byte, and N bytes, one for each choice
    # N CHOICES                the same with eight bytes for each choice
    output TEXT                one match is done, and its bot chose something else
    failed STEP TEXT           one match is done: its bot failed, with this traceback
    unable                     the process cannot serve several matches: a bot has come to what
                               depends on more than its match, such as memory that is used up

Backslash escapes keep each text on its line. With one match, a bot that fails ends the process.
With several, all matches have the same class. What differs from match to match besides its
instances, ``os.environ`` and the generator of :mod:`random`, is that of the match at work. That
nothing else is shared is for the referee to make sure (class_proof).

Nothing of Koth is imported here, and little else, so that a bot finds a plain interpreter.
"""

from __future__ import annotations

import _frozen_importlib as importlib_core
import _frozen_importlib_external as importlib_files
import gc
import marshal
import operator
import os
import sys
from array import array
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Helpers have ready what is imported anywhere in here, also what bots commonly import.
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
    """A bot's index in a match, its seed, and how many seats there are."""
    Request = tuple[str, bytes, str, Mapping[str, str], Sequence[Seat]]
    """The bot's file, its source if there are several matches, its class, its environment but for
    the seed, its seats."""
    Step = tuple[bool, bool, Sequence[int] | None, Sequence[int]]
    """Whether to construct (else update), whether to select; in which matches, if that changes;
    and what everybody chose there, match by match."""
    Send = Callable[[bytes], object]

NAME = "koth_class_worker.py"
"""The name of this file in a bot's folder, until it runs."""

SEED = "KOTH_BOT_SEED"

QUICK = 0.05
"""Seconds: a bot that has taken less for a step in all its matches sends its next answers together,
instead of one by one."""
ALL = 255
"""Answers that are sent together at most."""

CAP = 64 * 1024
LONG = 1 << 63


def main() -> None:
    """Serve messages until there are no more."""
    try:  # noqa: SIM105 contextlib is not loaded in a plain interpreter
        os.unlink(NAME)  # noqa: PTH108
    except OSError:
        pass
    receive, send = take_over_the_pipes()
    send(b"ready\n")
    file, source, class_name, settings, seats = marshal.loads(receive())
    worker: Alone | Together
    if len(seats) == 1:
        worker = Alone(file, class_name, seats[0][0])
    else:
        matches = [(Match(settings | {SEED: seed}, index), size) for index, seed, size in seats]
        worker = Together(source, file, class_name, matches)
    while message := receive():
        worker.step(marshal.loads(message), send)


def take_over_the_pipes() -> tuple[Callable[[], bytes], Send]:
    """What receives a message, and what sends; a bot that reads or prints finds nothing there."""
    messages, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    read, write, data = os.read, os.write, b""

    def receive() -> bytes:
        nonlocal data
        while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "little"):
            more = read(messages, CAP)
            if not more:
                return b""
            data += more
        end = 4 + int.from_bytes(data[:4], "little")
        message, data = data[4:end], data[end:]
        return message

    def send(data: bytes) -> None:
        write(answers, data)

    return receive, send


# --- one match -----------------------------------------------------------------------------------


class Alone:
    """A bot in its only match."""

    def __init__(self, file: str, class_name: str, index: int) -> None:
        self.file, self.class_name, self.index = file, class_name, index
        self.bot: Any = None

    def step(self, wanted: Step, send: Send) -> None:
        """Take a step. Raises whatever the bot raises."""
        construct, select, _, told = wanted
        if construct:
            bot_class = load(self.file, self.class_name)
            send(b"load\n")
            self.bot = bot_class(self.index)
            send(b"construct\n")
        else:
            self.bot.update([*told])
            send(b"update\n")
        choice = self.bot.select() if select else 0
        if type(choice) is not int or not -LONG <= choice < LONG:
            choice = answered(choice)
        send(output(choice) if isinstance(choice, bytes) else packed([choice]))


def load(file: str, class_name: str) -> Any:
    """The bot's class out of its file."""
    sys.argv = [file]
    sys.dont_write_bytecode = True
    sys.path[0] = os.path.dirname(os.path.abspath(file))  # noqa: PTH100, PTH120
    name = os.path.splitext(os.path.basename(file))[0]  # noqa: PTH119, PTH122
    spec: Any = importlib_files.spec_from_file_location(name, os.path.abspath(file))  # noqa: PTH100
    module = sys.modules[name] = importlib_core.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, class_name)


def answered(value: object) -> int | bytes:
    """An integer (SU-9: ``int`` or has ``__index__``, but no ``bool``), or the words for it.

    Anything else, and an integer beyond 64 bits, is told in words, with its type in front; by more
    than its type only if that is the same in every run. The words stay on one line.
    """
    if type(value) is not bool:
        try:
            number = int(operator.index(value))  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            return number if -LONG <= number < LONG else b"int beyond 64 bits"
    plain = type(value) in (bool, float, str, bytes, type(None))
    return escaped(f"{type(value).__name__} {repr(value) if plain else 'object'}")


def packed(choices: list[int]) -> bytes:
    """The answer of so many matches."""
    try:
        return b"=%c" % len(choices) + bytes(choices)
    except ValueError:
        return b"#%c" % len(choices) + array("q", choices).tobytes()


def output(text: bytes) -> bytes:
    """The answer of a match in which something else was chosen."""
    return b"output " + text + b"\n"


def escaped(text: str) -> bytes:
    """A text that stays on its line."""
    return text.encode("unicode_escape")[:CAP]


# --- many matches --------------------------------------------------------------------------------


class Match:
    """What a bot has of its own in a match."""

    def __init__(self, environment: dict[str, str], index: int) -> None:
        self.environ, self.index = like_environ(environment), index
        self.bot: Any = None
        self.generator: Any = None

    def dice(self, kind: Any) -> Any:
        """Its hidden generator, seeded by the system as that of :mod:`random` is."""
        if self.generator is None:
            self.generator = kind()
        return self.generator


def like_environ(variables: Mapping[str, str]) -> Any:
    """An ``os.environ`` of these variables: it takes and refuses what that does."""
    kind, ours = type(os.environ), os.environ
    data: Any = {ours.encodekey(key): ours.encodevalue(it) for key, it in variables.items()}
    return kind(data, ours.encodekey, ours.decodekey, ours.encodevalue, ours.decodevalue)


class Unable(Exception):
    """Raised where a bot would notice that its process serves several matches."""


def careful(random: Any) -> Any:
    """The class ``Random``, which is not seeded by an address: the hash of a NaN is one."""

    class Random(random.Random):  # type: ignore[misc]
        def seed(self, a: Any = None, version: int = 2) -> None:
            if a != a:
                raise Unable
            super().seed(a, version)

    return Random


class Together:
    """A bot in several matches at once, with one class for all."""

    def __init__(
        self, source: bytes, file: str, class_name: str, seats: Sequence[tuple[Match, int]]
    ) -> None:
        """``seats`` are the matches, each with the number of its seats."""
        self.source, self.file, self.class_name = source, file, class_name
        self.seats = seats
        self.work: list[Any] = [None]
        """The match at work."""
        self.bot_class: Any = None
        self.order: list[tuple[Match, slice]] = []
        self.piece = 1
        """How many answers are sent together."""
        self.take(range(len(seats)))

    def take(self, places: Sequence[int]) -> None:
        """Serve these matches from now on."""
        self.order, start = [], 0
        for place in places:
            match, seats = self.seats[place]
            stop = start + seats
            self.order.append((match, slice(start, stop)))
            start = stop

    def construct(self, match: Match) -> None:
        """Make the bot of a match, and load its class for the first of them."""
        if self.bot_class is None:
            self.load()
        match.bot = self.bot_class(match.index)

    def load(self) -> None:
        """Load the class from the very source that was looked at; no compiled file counts."""
        module = type(sys)(os.path.splitext(os.path.basename(self.file))[0])  # noqa: PTH119, PTH122
        names = vars(module)
        names["__file__"] = self.file
        exec(compile(self.source, self.file, "exec", dont_inherit=True), names)
        own: dict[int, Any] = {id(os): System(self.work)}
        if random := sys.modules.get("random"):
            own[id(random)] = shown = Random(self.work, careful(random))
            own[id(random.Random)] = shown.Random
        names.update({name: own[id(it)] for name, it in names.items() if id(it) in own})
        self.bot_class = names[self.class_name]

    def step(self, wanted: Step, send: Send) -> None:
        """Take a step in each match."""
        construct, select, places, told = wanted
        if places is not None:
            self.take(places)
        choices: list[int] = []
        everything = [*told]
        work, done, piece = self.work, choices.append, self.piece
        begun = monotonic()
        for match, row in self.order:
            work[0] = match
            step = "update"
            try:
                if construct:
                    step = "construct"
                    self.construct(match)
                else:
                    match.bot.update(everything[row])
                if select:
                    step = "select"
                    choice = match.bot.select()
                    if type(choice) is not int or not -LONG <= choice < LONG:
                        choice = answered(choice)
                else:
                    choice = 0
            except (MemoryError, RecursionError, Unable):
                self.answer(choices, send)
                send(b"unable\n")
                os._exit(1)
            except BaseException as error:
                self.answer(choices, send)
                send(b"failed " + step.encode() + b" " + escaped(traceback_of(error)) + b"\n")
                continue
            if type(choice) is not bytes:
                done(choice)
                if len(choices) == piece:
                    send(packed(choices))
                    choices.clear()
            else:
                self.answer(choices, send)
                send(output(choice))
        self.answer(choices, send)
        if construct:
            gc.freeze()  # none of that is garbage before the matches are over
        self.piece = ALL if monotonic() - begun < QUICK else 1

    def answer(self, choices: list[int], send: Send) -> None:
        """Send the choices that are waiting."""
        if choices:
            send(packed(choices))
            choices.clear()


class System:
    """What such a bot finds as :mod:`os`."""

    def __init__(self, work: list[Any]) -> None:
        self.work = work

    @property
    def environ(self) -> Any:
        """The variables of the match at work."""
        return self.work[0].environ

    def getenv(self, key: str, default: Any = None) -> Any:
        """One of them."""
        return self.work[0].environ.get(key, default)


class Random:
    """What such a bot finds as :mod:`random`."""

    def __init__(self, work: list[Any], generator: Any) -> None:
        self.work = work
        self.Random = generator
        self.SystemRandom = sys.modules["random"].SystemRandom

    def __getattr__(self, name: str) -> Any:
        return getattr(self.work[0].dice(self.Random), name)


def traceback_of(error: BaseException) -> str:
    """The traceback of what a bot raised, without the frames of this file."""
    import traceback

    own = error.__traceback__ and error.__traceback__.tb_next
    text = "".join(traceback.format_exception(type(error), error, own))
    return text.encode(errors="backslashreplace").decode()  # a surrogate is in no evidence


if __name__ == "__main__":
    main()
