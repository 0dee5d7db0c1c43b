"""Runs class bots for blocks of matches, each block of one bot in a fork: ``block_runner.py``.

With ``once`` it runs a single block, and forks nothing.

A request on standard input (four bytes of length, then marshalled) names a bot's files and class,
and its index and seed in each match of the block. The fork that serves it says its process id, and
then answers each message when all matches have come through it. A message is one letter, and an
answer begins with it: ``l`` to load the class, ``c`` to construct, ``s`` to select (answered with a
byte for each choice), ``t`` with what everybody chose, match by match (answered with the next
choices), ``o`` with the same after the last round, and ``b`` for good-bye.

A fork ends without an answer as soon as anything happens that would have to be judged, or that one
match could notice of another: its block is then played singly. Besides, each match has a copy of
what could keep something (see class_copies). What would reach beyond that is an attempt to change
the world outside of the process, as Python's audit events tell, and any change to modules and
classes that are not the bot's own, or to the generators that they draw from, which is looked for at
the end. What is set in the interpreter itself, such as its recursion limit or the handler of a
signal, is one for all matches of a block; and a bot that is out to deceive will find a way.

Nothing of Koth is imported here but class_copies, and what bots commonly import.
"""

from __future__ import annotations

import _thread
import gc
import marshal
import os
import random
import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, ClassVar

    from referee import class_copies
    from referee.class_copies import Copy
else:
    import class_copies
    from class_copies import Copy

    del sys.modules["class_copies"]

COMMON = "bisect collections functools heapq itertools math"
"""Modules that bots commonly import and that load quickly, besides ``random``."""

HARMLESS = """
    array.__new__ builtins.id code.__new__ compile exec function.__new__ gc.get_objects
    gc.get_referents gc.get_referrers glob.glob glob.glob/2 import marshal.dumps marshal.load
    marshal.loads object.__delattr__ object.__getattr__ object.__setattr__ os.fwalk os.getxattr
    os.listdir os.listxattr os.scandir os.walk pathlib.Path.glob pathlib.Path.rglob
    pickle.find_class sys._current_exceptions sys._current_frames sys._getframe
    sys._getframemodulename time.sleep
"""
"""Audit events that change nothing outside of the process."""

EVENTS = frozenset(HARMLESS.split())

FOR_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def main() -> None:
    """Serve requests, one after the other, each in a fork, until there are no more."""
    messages, answers = take_over_the_pipes()

    def receive(size: int) -> bytes:
        data = os.read(messages, size)
        while data and len(data) < size:
            more = os.read(messages, size - len(data))
            data = data + more if more else b""
        return data

    sys.path.pop(0)
    sys.dont_write_bytecode = True
    for name in COMMON.split():
        __import__(name)
    class_copies.begin()
    gc.collect()
    gc.freeze()
    served = 0
    while size := receive(4):
        if served:
            os.waitpid(served, 0)  # only now, so that nobody else gets its number before
        request = receive(int.from_bytes(size, "little"))
        served = 0 if sys.argv[1:] == ["once"] else os.fork()
        if not served:
            try:
                Block(marshal.loads(request)).serve(receive, lambda data: os.write(answers, data))
            finally:
                os._exit(1)
        ended = os.waitid(os.P_PID, served, os.WEXITED | os.WNOWAIT)
        if ended is None or (ended.si_code, ended.si_status) != (os.CLD_EXITED, 0):
            os.close(answers)  # which tells the referee; it ends this process, too


def take_over_the_pipes() -> tuple[int, int]:
    """Where messages come in and answers go out; a bot that reads or prints finds nothing there."""
    messages, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return messages, answers


class Block:
    """One bot in all its matches of a block."""

    def __init__(self, request: dict[str, Any]) -> None:
        if os.getsid(0) != os.getpid():
            os.setsid()  # so that the referee can end it with all that it starts
        os.chdir(request["home"])
        self.source = class_copies.Source(
            request["home"], request["file"], request["class"], request["shared"]
        )
        sys.argv = self.source.argv
        self.seats: int = request["seats"]
        self.indices: list[int] = request["indices"]
        base = request["environment"]
        self.copies = [
            Copy(self.source, base | {"KOTH_BOT_SEED": seed}) for seed in request["seeds"]
        ]
        self.bots: list[Any] = []
        starts = range(0, self.seats * len(self.copies), self.seats)
        self.rows = [slice(start, start + self.seats) for start in starts]
        self.numpy = class_copies.NumpyStates(len(self.copies))

    def serve(self, receive: Callable[[int], bytes], send: Callable[[bytes], object]) -> None:
        """Answer messages until the last."""
        send(os.getpid().to_bytes(4, "little"))
        shared = Shared()
        Copy.noticed = shared.note
        sys.addaudithook(watch)
        size = self.seats * len(self.copies)
        while step := receive(1):
            if step == b"l":
                answer = self.load()
                if self.source.shared:
                    shared.keep(self.copies[0].modules.values())
            elif step == b"c":
                answer = self.construct()
            elif step == b"s":
                answer = self.select()
            elif step == b"t":
                answer = self.told(receive(size))
            elif step == b"o":
                answer = self.over(receive(size))
            elif shared.untouched() and not Copy.refused:
                send(step)
                os._exit(0)
            else:
                break
            send(step + answer)

    def turns(self) -> Iterator[int]:
        """One match after the other, by its place in the block."""
        for place, copy in enumerate(self.copies):
            self.source.turn = copy
            with self.numpy.of(place):
                yield place

    def load(self) -> bytes:
        """Load the bot's class for every match."""
        for place in self.turns():
            self.copies[place].load()
        return b""

    def construct(self) -> bytes:
        """Make a bot for every match."""
        for place in self.turns():
            self.copies[place].construct(self.indices[place])
        self.bots = [copy.bot for copy in self.copies]
        gc.freeze()  # none of that is garbage before the block is over
        return b""

    def select(self) -> bytes:
        """Let all choose."""
        return bytes([class_copies.plain(self.bots[place].select()) for place in self.turns()])

    def told(self, data: bytes) -> bytes:
        """Tell each what was chosen in its match, and let it choose."""
        if self.numpy.needed():
            return self.over(data) + self.select()
        everything, chosen, source = list(data), [], self.source
        for bot, row, source.turn in zip(self.bots, self.rows, self.copies):  # noqa: B905
            bot.update(everything[row])
            choice = bot.select()
            chosen.append(choice if type(choice) is int else class_copies.plain(choice))
        if self.numpy.needed():  # only now: they have shared it
            raise class_copies.Apart
        return bytes(chosen)

    def over(self, data: bytes) -> bytes:
        """Tell each what was chosen in its match."""
        for place in self.turns():
            self.bots[place].update(list(data[self.rows[place]]))
        return b""


# --- what matches share --------------------------------------------------------------------------


def watch(event: str, args: tuple[Any, ...]) -> None:
    """Ends the process before a bot changes anything outside of it."""
    if event == "import":
        Shared.announced.add(args[0])
    if Copy.trusted or event in EVENTS:
        return
    if event == "open" and isinstance(args[2], int) and not args[2] & FOR_WRITING:
        return
    os._exit(1)


class Shared:
    """The modules and classes that all matches of the block share, as they should stay."""

    announced: ClassVar[set[str]] = set()
    """The names of modules that were asked for by an import."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[ModuleType, list[dict[str, object]]]] = {}
        self.drawn = random.getstate()
        self.threads = _thread._count()
        self.strange = False
        self.kept: list[tuple[ModuleType, list[dict[str, object]]]] = []
        self.note(True)

    def keep(self, modules: Iterable[ModuleType]) -> None:
        """Take down the bot's own, if all matches share them."""
        self.kept = [(module, names(module)) for module in modules]

    def note(self, imported: bool) -> None:
        """Take down what there is since the last time; was it ``imported``?"""
        if len(sys.modules) == len(self.seen):
            return
        own = Copy.at_work.modules if Copy.at_work else {}
        for name in sys.modules.keys() - self.seen.keys() - own.keys():
            module = sys.modules[name]
            self.seen[name] = module, names(module)
            self.strange |= not (imported or self.is_import(name, module))
            parent = name.rpartition(".")[0]
            if parent in self.seen:  # of which it has become an attribute
                self.seen[parent] = sys.modules[parent], names(sys.modules[parent])

    def is_import(self, name: str, module: object) -> bool:
        """Whether a module is where an import has put it."""
        spec = getattr(module, "__spec__", None)
        return name in self.announced and spec is not None and spec.name == name

    def untouched(self) -> bool:
        """Whether everything is as it was when it was imported."""
        self.note(False)
        return (
            not self.strange
            and self.drawn == random.getstate()
            and self.threads == _thread._count()
            and all(same(names(module), then) for module, then in self.kept)
            and all(
                sys.modules.get(name) is module and same(names(module), then)
                for name, (module, then) in self.seen.items()
            )
        )


PASSING = {"__warningregistry__", "__annotations__"}
"""Names that the interpreter itself adds when it comes to it."""


def names(module: ModuleType) -> list[dict[str, object]]:
    """What is in a module and in the classes that it defines."""
    spaces = [getattr(module, "__dict__", {})]
    for value in spaces[0].values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            spaces.append(value.__dict__)
    return [
        {name: value for name, value in space.items() if name not in PASSING} for space in spaces
    ]


def same(now: list[dict[str, object]], then: list[dict[str, object]]) -> bool:
    """Whether the same names stand for the same objects."""
    return len(now) == len(then) and all(
        one.keys() == other.keys() and all(value is other[name] for name, value in one.items())
        for one, other in zip(now, then)  # noqa: B905
    )


if __name__ == "__main__":
    main()
