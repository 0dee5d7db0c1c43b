"""Collect the names that a class bot binds, for :mod:`referee.self_contained.proof`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from referee.self_contained.vocabulary import (
    DECORATORS,
    FROM,
    HIDDEN,
    METHODS,
    MODULES,
    NUMERIC,
    TYPES,
)


class NotProven(Exception):
    """Raised for code outside the listed part of Python; its text is the reason, if known."""

    line: int | None = None
    """The first line of that code, from 1, if known."""


def require(condition: object, reason: str = "") -> None:
    """Raise NotProven unless ``condition`` holds."""
    if not condition:
        raise NotProven(reason)


@contextmanager
def at(node: ast.AST) -> Iterator[None]:
    """Add the line of ``node`` to a NotProven that has none yet."""
    try:
        yield
    except NotProven as error:
        error.line = error.line or getattr(node, "lineno", None)
        raise


class Names:
    """Names bound in a file, by kind. Raises NotProven if a name could mean two things."""

    def __init__(self, tree: ast.Module, playing: str) -> None:
        """``playing`` is the bot's class."""
        nodes = [*ast.walk(tree)]
        self.classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
        self.playing = self.classes.get(playing)
        self.modules: dict[str, str] = {}
        """Modules, by the names that they are bound to."""
        self.members: dict[str, str] = {}
        """Members of modules, by the names that they are bound to."""
        self.types: dict[str, str] = {}
        """Members of modules that only annotations use."""
        fixed: list[str] = []
        for statement in tree.body:
            with at(statement):
                fixed += self._take(statement)
        parts = [part for node in self.classes.values() for part in node.body]
        self.constants = {*bound_by([*tree.body, *parts])}
        methods = {part.name for part in parts if isinstance(part, ast.FunctionDef)}
        self.methods = methods - {"__init__"}
        self.fields = {*bound_by(parts)} - {*dir(type)}
        """Constants of classes, without what each class has, such as ``mro``."""
        own = {node.attr for node in nodes if isinstance(node, ast.Attribute) and is_bound(node)}
        numeric = NUMERIC & (own | self.methods | self.fields)
        require(not numeric, f"its objects have {', '.join(sorted(numeric))}, as numbers have")
        self.attributes = METHODS | ((own | self.methods | self.fields) - HIDDEN)
        self._check(fixed, bound_in_functions(tree))
        used = any(isinstance(node, ast.Name) and node.id == playing for node in nodes)
        self.index = "" if used else index_of(self.playing)
        """The name of the index in the bot's constructor, if it is always an integer."""

    def _take(self, node: ast.stmt) -> Iterator[str]:
        """Take in a statement of the module; yield the names of anything but constants."""
        match node:
            case ast.Import(names=names):
                for alias in names:
                    require(alias.name in MODULES)
                    self.modules[alias.asname or alias.name] = alias.name
                    yield alias.asname or alias.name
            case ast.ImportFrom(module=str(module), names=names, level=0) if module != "__future__":
                for alias in names:
                    known = alias.name in FROM.get(module, ())
                    require(known or alias.name in TYPES.get(module, ()))
                    kind = self.members if known else self.types
                    kind[alias.asname or alias.name] = alias.name
                    yield alias.asname or alias.name
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name

    def _check(self, fixed: list[str], inside: set[str]) -> None:
        """Require one meaning for each name, ``inside`` functions and outside."""
        outside = {*fixed, *self.constants}
        require(len(outside) == len(fixed) + len(self.constants))
        require(not self.constants & self.methods)
        # The body of a class finds its own methods before the builtins.
        require(not self.methods & {"range", *DECORATORS})
        # Within a class, ``__name`` stands for ``_Class__name``.
        require(not any("__" in name for name in self.constants - {"__slots__"}))
        require(not any(name.startswith("__") for name in {*fixed, *inside}))
        require(not inside & (outside | {"self"}) and "self" not in outside)
        require(not any(hasattr(builtins, name) for name in outside | inside))


def index_of(playing: ast.ClassDef | None) -> str:
    """Return the name of the constructor's only parameter; empty if it is bound again."""
    for part in playing.body if playing else []:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            parameter = [argument.arg for argument in part.args.args][1:]
            bound = [name for node in ast.walk(part) for name in names_of(node)]
            if len(parameter) == 1 and bound.count(parameter[0]) == 1:
                return parameter[0]
    return ""


def is_bound(node: ast.Name | ast.Attribute) -> bool:
    """Return whether a node binds or unbinds its name."""
    return not isinstance(node.ctx, ast.Load)


def bound_by(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that assignments bind."""
    for statement in statements:
        targets: list[ast.expr] = []
        match statement:
            case ast.Assign():
                targets = statement.targets
            case ast.AnnAssign():
                targets = [statement.target]
        for node in (node for target in targets for node in ast.walk(target)):
            if isinstance(node, ast.Name):
                yield node.id


def names_of(node: ast.AST) -> list[str]:
    """Return the names that a node binds: variables, parameters, functions, errors."""
    match node:
        case ast.Name(id=name) if is_bound(node):
            return [name]
        case ast.FunctionDef(name=name) | ast.ExceptHandler(name=str(name)) | ast.arg(arg=name):
            return [name]
    return []


def bound_in_functions(tree: ast.Module) -> set[str]:
    """Return the names that functions bind, without ``self`` as the first parameter of methods."""
    names: set[str] = set()
    for node in tree.body:
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(part, ast.FunctionDef):
                static = "staticmethod" in map(name_of, part.decorator_list)
                first = [] if part is node or static else part.args.args[:1]
                skipped = [part, *(argument for argument in first if argument.arg == "self")]
                inner = (child for child in ast.walk(part) if child not in skipped)
                names |= {name for child in inner for name in names_of(child)}
    return names


def name_of(node: ast.AST) -> str:
    """Return the name that a node is, or ``""``."""
    return node.id if isinstance(node, ast.Name) else ""


def parameters(node: ast.arguments) -> list[ast.arg]:
    """Return all parameters."""
    arguments = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
    return [argument for argument in arguments if argument is not None]
