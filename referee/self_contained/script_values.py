"""Check the values in a script: data, and the sets that give data."""

from __future__ import annotations

import ast
import builtins
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress

from referee.self_contained.functions import ANNOTATIONS
from referee.self_contained.names import NotProven, parameters, require
from referee.self_contained.script_names import Kind, ScriptNames
from referee.self_contained.script_vocabulary import (
    CONSTANTS,
    ITERATING,
    ITERATORS,
    OPERATIONS,
    VIEWS,
)


class ScriptValues(ABC):
    """Check that expressions use nothing but the listed part of Python.

    Every method raises NotProven for anything else.
    """

    def __init__(self, names: ScriptNames) -> None:
        self.names = names

    @abstractmethod
    def call(self, node: ast.Call) -> None:
        """Check a call that gives data."""

    @abstractmethod
    def function(self, node: ast.expr) -> None:
        """Check a function that is called with data, and gives data."""

    @abstractmethod
    def open(self, node: ast.expr) -> None:
        """Check a call of ``open``."""

    @abstractmethod
    def keywords(self, node: ast.Call) -> None:
        """Check the keyword arguments of a call: data, or a function that is called at once."""

    def data(self, node: ast.expr) -> None:
        """Check an expression that gives data."""
        match node:
            case ast.Constant(value=value):
                require(isinstance(value, str | int | float | None))
            case ast.Name(id=name):
                require(
                    name == "__name__"
                    or self.names.is_(node, Kind.DATA)
                    or self.is_listed(node, CONSTANTS)
                )
            case ast.Attribute():
                require(self.is_listed(node, CONSTANTS))
            case ast.Compare(left=left, ops=ops, comparators=values):
                self.comparison(left, ops, values)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                self.parts(parts)
            case ast.Dict(keys=keys, values=values):
                for part in [*keys, *values]:
                    if part is not None:
                        self.data(part)
            case ast.ListComp(elt=part, generators=loops):
                self.loops(loops)
                self.data(part)
            case ast.DictComp(key=key, value=value, generators=loops):
                self.loops(loops)
                self.data(key)
                self.data(value)
            case ast.Subscript(value=value, slice=key):
                self.data(key)
                if not (self.names.is_command_line(value) or self.is_environment(value)):
                    self.data(value)
            case ast.Slice(lower=lower, upper=upper, step=step):
                for part in (lower, upper, step):
                    if part is not None:
                        self.data(part)
            case ast.JoinedStr(values=parts):
                for part in parts:
                    self.data(part)
            case ast.FormattedValue(value=value, format_spec=form):
                self.data(value)
                if form is not None:
                    self.data(form)
            case ast.NamedExpr(value=value):
                self.data(value)
            case ast.IfExp(test=test, body=body, orelse=other):
                self.test(test)
                self.data(body)
                self.data(other)
            case ast.Call():
                self.call(node)
            case _:
                require(isinstance(node, OPERATIONS))
                for operand in ast.iter_child_nodes(node):
                    if isinstance(operand, ast.expr):
                        self.data(operand)

    def test(self, node: ast.expr) -> None:
        """Check a condition."""
        match node:
            case ast.BoolOp(values=parts):
                for part in parts:
                    self.test(part)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                self.test(part)
            case _:
                self.searchable(node)

    def comparison(
        self, left: ast.expr, ops: Sequence[ast.cmpop], values: Sequence[ast.expr]
    ) -> None:
        """Check comparisons: of data, of sets, of the identity of single values."""
        self.searchable(left)
        for op, value in zip(ops, values, strict=True):
            match op:
                case ast.Is() | ast.IsNot():
                    require(isinstance(value, ast.Constant) and value.value in (None, True, 0))
                case ast.In() | ast.NotIn() if not self.names.is_set(value):
                    self.iterable(value)
                case _:
                    self.searchable(value)

    def searchable(self, node: ast.expr) -> None:
        """Check data or a set whose order does not matter."""
        if self.names.is_set(node):
            self.set_(node)
        else:
            self.data(node)

    def parts(self, nodes: Sequence[ast.expr]) -> None:
        """Check parts of a collection, or arguments: data, or all that an iterator gives."""
        for node in nodes:
            if isinstance(node, ast.Starred):
                self.iterable(node.value)
            else:
                self.data(node)

    def loops(self, nodes: Sequence[ast.comprehension]) -> None:
        """Check the loops of a comprehension."""
        for node in nodes:
            require(not node.is_async)
            self.target(node.target)
            self.iterable(node.iter)
            for condition in node.ifs:
                self.test(condition)

    def iterable(self, node: ast.expr) -> None:
        """Check data, or an iterator that is consumed at once."""
        match node:
            case ast.GeneratorExp(elt=part, generators=loops):
                self.loops(loops)
                self.data(part)
            case _ if self.names.is_(node, Kind.FILE) or self.names.is_command_line(node):
                pass
            case ast.Call(func=ast.Name(id="open")):
                self.open(node)
            case ast.Call(func=ast.Name(id="map" | "filter"), args=[function, *rest], keywords=[]):
                if not isinstance(function, ast.Constant):
                    self.function(function)
                self.iterables(rest)
            case ast.Call(func=ast.Name(id=name)) if name in ITERATING:
                self.iterables(node.args)
                self.keywords(node)
            case ast.Call(func=ast.Name(id="set"), args=[part], keywords=[]) if self.is_text(part):
                pass
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]) if (
                name in VIEWS
            ):
                self.data(value)
            case ast.Call(func=function) if self.is_listed(function, ITERATORS):
                for part in node.args:
                    self.iterable_or_function(part)
                self.keywords(node)
            case ast.Call(func=function) if self.names.member(function) == ("itertools", "repeat"):
                self.parts(node.args)
                self.keywords(node)
            case _:
                self.data(node)

    def iterables(self, nodes: Sequence[ast.expr]) -> None:
        """Check arguments that are consumed at once."""
        for node in nodes:
            self.iterable(node.value if isinstance(node, ast.Starred) else node)

    def iterable_or_function(self, node: ast.expr) -> None:
        """Check an argument of an iterator, which takes no function that it does not call."""
        with suppress(NotProven):
            self.iterable(node)
            return
        self.function(node)

    def target(self, node: ast.expr) -> None:
        """Check what data is assigned to, or what is deleted."""
        match node:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self.target(part.value if isinstance(part, ast.Starred) else part)
            case ast.Subscript(value=value, slice=key):
                self.data(value)
                self.data(key)
            case _:
                require(self.names.is_(node, Kind.DATA))

    def parameters(self, node: ast.arguments) -> None:
        """Check the parameters of a function."""
        for default in [*node.defaults, *node.kw_defaults]:
            if default is not None:
                self.data(default)
        for parameter in parameters(node):
            if parameter.annotation is not None:
                self.annotation(parameter.annotation)

    def annotation(self, node: ast.expr) -> None:
        """Check an annotation, or a type that is named for annotations."""
        for part in ast.walk(node):
            match part:
                case ast.Name(id=name):
                    builtin = isinstance(getattr(builtins, name, None), type)
                    require(builtin or self.names.is_(part, Kind.TYPE))
                case _:
                    require(isinstance(part, ANNOTATIONS))

    def is_text(self, node: ast.expr) -> bool:
        """Return whether an expression is an argument of the command line, or a constant text."""
        constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return constant or self.names.argument(node) is not None

    def is_listed(self, node: ast.AST, listed: Mapping[str, Set[str]]) -> bool:
        """Return whether an expression is one of the ``listed`` members of modules."""
        module, name = self.names.member(node)
        return name in listed.get(module, ())

    def is_environment(self, node: ast.AST) -> bool:
        """Return whether an expression is ``os.environ``."""
        return self.names.member(node) == ("os", "environ")

    def set_(self, node: ast.expr) -> None:
        """Check an expression that gives a set."""
        match node:
            case ast.Set(elts=parts):
                self.parts(parts)
            case ast.SetComp(elt=part, generators=loops):
                self.loops(loops)
                self.data(part)
            case ast.Call(func=ast.Name(id="set" | "frozenset"), args=parts, keywords=[]):
                for part in parts:
                    self.set_or_iterable(part)
            case ast.BinOp(left=left, right=right):
                self.set_(left)
                self.set_(right)
            case ast.Call(func=ast.Attribute(value=value), args=parts, keywords=[]):
                require(self.names.is_set(node))
                self.set_(value)
                for part in parts:
                    self.set_or_iterable(part)
            case _:
                require(self.names.is_(node, Kind.SET))

    def set_or_iterable(self, node: ast.expr) -> None:
        """Check what becomes part of a set."""
        if self.names.is_set(node):
            self.set_(node)
        else:
            self.iterable(node)
