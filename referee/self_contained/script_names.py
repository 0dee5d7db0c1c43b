"""Tell what each name in a script stands for, for :mod:`referee.self_contained.scripts`."""

from __future__ import annotations

import ast
import builtins
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import Enum, auto

from referee.self_contained.names import at, require
from referee.self_contained.script_vocabulary import (
    GENERATORS,
    HARMLESS_BUILTINS,
    KINDS,
    KNOWN,
    MODULES,
    SET_RESULTS,
)
from referee.self_contained.vocabulary import TYPES


class Kind(Enum):
    """The kind of thing for which a name stands."""

    DATA = auto()
    """Numbers, texts, and collections of them."""
    SET = auto()
    GENERATOR = auto()
    """A random generator."""
    FILE = auto()
    FUNCTION = auto()
    MODULE = auto()
    MEMBER = auto()
    """A function or constant of a module."""
    TYPE = auto()
    """A type, for annotations."""


class ScriptNames:
    """The names that a script binds, each of one kind. Raises NotProven for any other name."""

    def __init__(self, tree: ast.Module) -> None:
        nodes = [*ast.walk(tree)]
        self.modules: dict[str, str] = {}
        """Modules, by the names that they are bound to."""
        self.members: dict[str, tuple[str, str]] = {}
        """Modules and their members, by the names that the members are bound to."""
        self.kinds: dict[str, Kind] = {}
        for node in nodes:
            with at(node):
                for name, kind in self._imported(node):
                    self._bind(name, kind)
        self._assigned = [*assignments(nodes)]
        self._find_sets()
        targets = {id(target): self._kind_of(value) for target, value in self._assigned}
        bound = [*bindings(nodes)]
        for name, kind, node in bound:
            with at(node):
                self._bind(name, targets.get(id(node), kind))
        changed = {name for node in nodes for name in changed_by(node)}
        times = Counter(name for name, *_ in bound)
        once = {name for name, number in times.items() if number == 1} - changed
        self.arguments = {
            name: index for node in nodes for name, index in self._taken(node) if name in once
        }
        """Names that always stand for an argument of the command line, with its index."""

    def is_(self, node: ast.AST, kind: Kind) -> bool:
        """Return whether a node is a name of this kind."""
        return isinstance(node, ast.Name) and self.kinds.get(node.id) is kind

    def module_of(self, node: ast.AST) -> str:
        """Return the module that a node names, or ``""``."""
        return self.modules.get(node.id, "") if isinstance(node, ast.Name) else ""

    def member(self, node: ast.AST) -> tuple[str, str]:
        """Return the module and the member that a node names, or ``("", "")``."""
        match node:
            case ast.Name(id=name):
                return self.members.get(name, ("", ""))
            case ast.Attribute(value=value, attr=name) if module := self.module_of(value):
                return module, name
        return "", ""

    def is_set(self, node: ast.AST) -> bool:
        """Return whether an expression gives a set."""
        match first_operand(node):
            case ast.Name() as name:
                return self.is_(name, Kind.SET)
            case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset")):
                return True
        return False

    def is_command_line(self, node: ast.AST) -> bool:
        """Return whether an expression is ``sys.argv``."""
        return self.member(node) == ("sys", "argv")

    def argument(self, node: ast.AST) -> int | None:
        """Return the index of the argument of the command line that an expression gives, if any."""
        match node:
            case ast.Name(id=name):
                return self.arguments.get(name)
            case ast.Subscript(value=value, slice=ast.Constant(value=int(index))):
                return index if self.is_command_line(value) else None
        return None

    def _taken(self, node: ast.AST) -> Iterator[tuple[str, int]]:
        """Yield the names that take arguments of the command line in a statement."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                index = self.argument(value) if isinstance(value, ast.Subscript) else None
                if index is not None:
                    yield name, index
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                match value:
                    case ast.Subscript(
                        value=whole,
                        slice=ast.Slice(lower=ast.Constant(value=int(first)), step=None),
                    ) if self.is_command_line(whole):
                        pass
                    case _ if self.is_command_line(value):
                        first = 0
                    case _:
                        return
                for index, target in enumerate(targets, start=first):
                    if not isinstance(target, ast.Name):
                        return
                    yield target.id, index

    def _bind(self, name: str, kind: Kind) -> None:
        require(not name.startswith("__"))
        require(name in HARMLESS_BUILTINS or not hasattr(builtins, name))
        require(self.kinds.setdefault(name, kind) is kind)

    def _imported(self, node: ast.AST) -> Iterator[tuple[str, Kind]]:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    name = alias.asname or alias.name
                    require(alias.name in MODULES)
                    require(self.modules.setdefault(name, alias.name) == alias.name)
                    yield name, Kind.MODULE
            case ast.ImportFrom(
                module="__future__", names=[ast.alias(name="annotations")], level=0
            ):
                pass
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for alias in names:
                    name, member = alias.asname or alias.name, (module, alias.name)
                    if alias.name in TYPES.get(module, ()):
                        yield name, Kind.TYPE
                        continue
                    require(any(alias.name in known.get(module, ()) for known in KNOWN))
                    require(self.members.setdefault(name, member) == member)
                    yield name, Kind.MEMBER
            case ast.ImportFrom():
                require(False)

    def _find_sets(self) -> None:
        """Find the names of sets, and then those that get a set from a name found before."""
        using: dict[str, list[ast.Name]] = defaultdict(list)
        waiting = []
        for target, value in self._assigned:
            operand = first_operand(value)
            if isinstance(operand, ast.Name):
                using[operand.id].append(target)
            elif self.is_set(operand):
                waiting.append(target)
        while waiting:
            target = waiting.pop()
            if not self.is_(target, Kind.SET):
                with at(target):
                    self._bind(target.id, Kind.SET)
                waiting += using[target.id]

    def _kind_of(self, value: ast.expr) -> Kind:
        """Return the kind of a name to which ``value`` is assigned."""
        if self.is_set(value):
            return Kind.SET
        match value:
            case ast.Call(func=function) if (member := self.member(function))[0] == "random":
                return Kind.GENERATOR if member[1] in GENERATORS else Kind.DATA
            case ast.Subscript(value=ast.Name(id=name)) if name in KINDS:
                return Kind.TYPE
            case ast.Lambda():
                return Kind.FUNCTION
        return Kind.DATA


def first_operand(node: ast.AST) -> ast.AST:
    """Return the operand that decides whether an expression gives a set."""
    while True:
        match node:
            case ast.BinOp(left=left):
                node = left
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in SET_RESULTS:
                node = value
            case _:
                return node


def assignments(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Yield each name to which a value is assigned as a whole, and the value."""
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield target, value
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                yield target, value


def bindings(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, Kind, ast.AST]]:
    """Yield the names that nodes bind, except for imports, with the node of each name."""
    files = {id(node.optional_vars) for node in nodes if isinstance(node, ast.withitem)}
    changed = {id(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in changed:
                yield name, Kind.FILE if id(node) in files else Kind.DATA, node
            case ast.arg(arg=name):
                yield name, Kind.DATA, node
            case ast.FunctionDef(name=name):
                yield name, Kind.FUNCTION, node


def changed_by(node: ast.AST) -> Sequence[str]:
    """Return the names that a statement changes, or makes those of a module in a function."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return names
    return []
