"""A class bot's modules, once for each match, for matches that share a process.

Of a bot that keeps nothing in its modules and classes (see class_sharing) there is one copy for all
matches, which finds the generator and the environment of whichever match is at its turn. Of others,
what their files define (modules, their globals, classes) is made anew for every match from
code that is compiled once. So is what a bot would otherwise share with itself through the standard
library: the generator behind ``random``, and the environment in ``os``. A bot's modules have
builtins of their own, through which they import; everything else is as one for all matches, and
nothing here keeps a bot from changing it.

Nothing of Koth is imported here: this is loaded into bots' processes too.
"""

from __future__ import annotations

import builtins
import marshal
import operator
import os
import sys
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import FunctionType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import CodeType
    from typing import Any, ClassVar

FAMILIAR = dict(vars(builtins))
"""The builtins as they were before any bot."""


class Apart(BaseException):
    """This cannot be played beside other matches: it is to be played singly."""


class Source:
    """A bot: the folder with its files, the file of its class, and the code compiled from them.

    With ``shared`` its class is loaded once, for all matches.
    """

    def __init__(self, home: str, file: str, class_name: str, shared: bool) -> None:
        self.home = os.path.join(home, "")  # noqa: PTH118
        self.file = os.path.normpath(self.home + file)
        self.argv = [file]
        self.name = os.path.splitext(os.path.basename(file))[0]  # noqa: PTH119, PTH122
        self.class_name = class_name
        self.shared = shared
        self.code: dict[str, bytes] = {}
        self.bot_class: Any = None
        self.fronts: dict[str, ModuleType] = {}
        self.turn: Copy | None = None
        """Whose own modules a shared class finds."""
        loader = OwnLoader(self.name, self.file)
        self.spec = spec_from_file_location(self.name, self.file, loader=loader)

    def front(self, name: str) -> ModuleType:
        """What stands for all matches' own copies of a module: it finds that of the match at turn.

        Only what differs between the copies is looked for there.
        """
        if name not in self.fronts:
            module, own = vars(sys.modules[name]), vars(self.at_turn().own(name))
            front: Any = ModuleType(name)
            vars(front).update((it, own[it]) for it in own if own[it] is module.get(it))
            front.__getattr__ = lambda it: getattr(self.at_turn().own(name), it)
            self.fronts[name] = front
        return self.fronts[name]

    def at_turn(self) -> Copy:
        """The match whose turn it is."""
        assert self.turn is not None
        return self.turn


class Copy:
    """A bot as one match has it; ``environment`` is all that it finds in ``os.environ``."""

    at_work: ClassVar[Copy | None] = None
    """Whose modules are being loaded."""
    trusted: ClassVar[bool] = False
    """Whether code of others runs for the moment, such as that of a library that is imported."""
    noticed: ClassVar[Callable[[bool], None]] = staticmethod(lambda imported: None)
    """Called after something was imported (True), and after a bot's own code has run (False)."""
    refused: ClassVar[bool] = False
    """Whether a bot tried what only a bot played singly can; also if it has caught Apart."""

    def __init__(self, source: Source, environment: Mapping[str, str]) -> None:
        self.source = source
        self.environment = environment
        self.path = [source.home[:-1], *sys.path]
        self.modules: dict[str, ModuleType] = {}
        self.lent: dict[str, ModuleType] = {}
        self.builtins: dict[str, Any] = {}
        self.bot_class: Any = None
        self.bot: Any = None

    def load(self) -> None:
        """Load the bot's class out of its file, if no other match has done that for all."""
        if self.source.shared and self.source.bot_class is not None:
            self.bot_class = self.source.bot_class
            return
        self.source.turn = self
        self.builtins = FAMILIAR | {"__import__": self.import_}
        spec = self.source.spec
        assert spec is not None
        assert spec.loader is not None
        with self.working():
            module = sys.modules[spec.name] = module_from_spec(spec)
            spec.loader.exec_module(module)
            self.bot_class = self.source.bot_class = getattr(module, self.source.class_name)

    def construct(self, index: int) -> None:
        """Make the bot."""
        self.source.turn = self
        with self.working():
            self.bot = self.bot_class(index)

    @contextmanager
    def working(self) -> Iterator[None]:
        """In the block the interpreter imports as if there were no match but this."""
        if Copy.at_work is self:
            yield
            return
        assert Copy.at_work is None
        before = sys.path[:], sys.argv
        sys.path[:], sys.argv = self.path, self.source.argv
        sys.modules.update(self.modules)
        Copy.at_work = self
        try:
            yield
        finally:
            Copy.at_work = None
            for name, module in self.modules.items():
                self.modules[name] = sys.modules.pop(name, module)
            self.path = sys.path[:]
            sys.path[:], sys.argv = before

    def import_(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What an ``import`` in the bot's modules does."""
        if level == 0 and name == "random":
            return self.lend(name)
        if level == 0 and (name == "os" or (name == "os.path" and not fromlist)):
            return self.lend("os")
        with self.working():
            Copy.noticed(False)
            trusted, Copy.trusted = Copy.trusted, True
            try:
                return builtins.__import__(name, globals, locals, fromlist or (), level)
            finally:
                Copy.trusted = trusted
                Copy.noticed(True)

    def lend(self, name: str) -> ModuleType:
        """What the bot finds as ``os`` or ``random``."""
        return self.source.front(name) if self.source.shared else self.own(name)

    def own(self, name: str) -> ModuleType:
        """The match's own copy of ``os`` or ``random``."""
        if name not in self.lent:
            self.lent[name] = own_random() if name == "random" else own_os(self.environment)
        return self.lent[name]


class OwnLoader(SourceFileLoader):
    """Runs a bot's file for the match at work."""

    def get_code(self, fullname: str) -> CodeType | None:
        """Its code, compiled when it is first asked for.

        Each match has objects of its own: the interpreter tunes code to the classes that it meets.
        """
        copy = Copy.at_work
        assert copy is not None
        if self.path not in copy.source.code:
            copy.source.code[self.path] = marshal.dumps(super().get_code(fullname))
        code: CodeType = marshal.loads(copy.source.code[self.path])
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run it, with the match's own builtins."""
        copy = Copy.at_work
        assert copy is not None
        vars(module)["__builtins__"] = copy.builtins
        copy.modules[module.__name__] = module
        trusted, Copy.trusted = Copy.trusted, False
        try:
            super().exec_module(module)
        except BaseException:
            del copy.modules[module.__name__]
            raise
        finally:
            Copy.trusted = trusted
            Copy.noticed(False)


class OwnFinder:
    """Finds what :class:`PathFinder` finds, and takes the bot's own files from it."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module comes from."""
        if Copy.at_work is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None:
            return None
        home = Copy.at_work.source.home
        places = [spec.origin or "", *(spec.submodule_search_locations or ())]
        if not any(place.startswith(home) for place in places):
            return spec
        if type(spec.loader) is not SourceFileLoader:
            Copy.refused = True  # machine code, and folders without __init__.py, are not copied
            raise Apart
        spec.loader = OwnLoader(name, spec.loader.path)
        return spec


def own_random() -> Any:
    """A copy of ``random`` with a generator of its own, seeded by the system."""
    import random

    own: Any = copied(random)
    own._inst = random.Random()
    for name in drawing():
        setattr(own, name, getattr(own._inst, name))
    return own


@cache
def drawing() -> list[str]:
    """The functions of ``random`` that are methods of its hidden generator."""
    import random

    hidden = vars(random)["_inst"]
    return [name for name, it in vars(random).items() if getattr(it, "__self__", None) is hidden]


def own_os(environment: Mapping[str, str]) -> Any:
    """A copy of ``os`` with an environment of its own."""
    own: Any = copied(os)
    keep: Any = os.environ
    data = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
    coding = keep.encodekey, keep.decodekey, keep.encodevalue, keep.decodevalue
    own.environ = type(keep)(data, *coding)
    raw: Any = os.environb
    own.environb = type(raw)(data, raw.encodekey, raw.decodekey, raw.encodevalue, raw.decodevalue)
    for function in (os.getenv, os.getenvb, os.get_exec_path):
        code, defaults = function.__code__, function.__defaults__
        setattr(own, function.__name__, FunctionType(code, vars(own), None, defaults))
    return own


class NumpyStates:
    """Which state numpy's global generator has in each match, once numpy is loaded."""

    def __init__(self, matches: int) -> None:
        self.states: list[Any] = [None] * matches
        self.place = 0

    def needed(self) -> bool:
        """Whether there is such a generator."""
        return "numpy.random" in sys.modules

    def of(self, place: int) -> NumpyStates:
        """To be entered when the match at ``place`` is at work."""
        self.place = place
        return self

    def __enter__(self) -> None:
        if self.needed():
            generator: Any = sys.modules["numpy.random"]
            if self.states[self.place] is None:
                generator.seed()
            else:
                generator.set_state(self.states[self.place])

    def __exit__(self, *error: object) -> None:
        if self.needed():
            generator: Any = sys.modules["numpy.random"]
            self.states[self.place] = generator.get_state(legacy=False)


def copied(module: ModuleType) -> ModuleType:
    """A module with the same names in it."""
    own = ModuleType(module.__name__)
    vars(own).update(vars(module))
    return own


def plain(choice: Any) -> int:
    """An integer as SU-9 has it. Raises Apart for anything else, which goes into the log."""
    if type(choice) is bool:
        raise Apart
    return operator.index(choice)


def begin() -> None:
    """Let bots' own files be found, from now on."""
    if OwnFinder not in sys.meta_path:
        sys.meta_path.insert(sys.meta_path.index(PathFinder), OwnFinder)
