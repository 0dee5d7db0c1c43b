"""Check the functions of a class bot, statement by statement."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from referee.self_contained.names import Names, parameters, require
from referee.self_contained.vocabulary import (
    CLASSES,
    CONSUMERS,
    ERRORS,
    EXPRESSIONS,
    FUNCTIONS,
    METHODS,
    MODULES,
    STATEMENTS,
    VIEWS,
)


class Functions:
    """A walk through functions, each part of which must be allowed."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.method: ast.FunctionDef | None = None
        """The method that is being checked."""

    def constant(self, node: ast.expr) -> None:
        """An expression for something that nobody can change."""
        match node:
            case ast.Tuple(elts=parts):
                for part in parts:
                    self.constant(part)
            case ast.Call(func=ast.Name(id="range"), args=parts, keywords=[]):
                for part in parts:
                    self.constant(part)
            case ast.BinOp(left=left, right=right):
                self.constant(left)
                self.constant(right)
            case ast.UnaryOp(operand=operand):
                self.constant(operand)
            case ast.Name(id=name):
                require(name in self.names.constants)
            case _:
                require(isinstance(node, ast.Constant))
                self.inside(node)

    def function(self, node: ast.FunctionDef, instance: bool = False) -> None:
        """A function; in a method the first parameter is an ``instance``."""
        require(not getattr(node, "type_params", None))
        self.arguments(node.args, instance)
        if node.returns is not None:
            self.annotation(node.returns)
        self.method, outer = node if instance else self.method, self.method
        self.each(body_of(node))
        self.method = outer

    def arguments(self, node: ast.arguments, method: bool) -> None:
        """Parameters, with what they are by default."""
        require("self" not in [*parameters(node)][int(method) :])
        for default in [*node.defaults, *node.kw_defaults]:
            if default is not None:
                self.constant(default)
        for arg in [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]:
            if arg is not None and arg.annotation is not None:
                self.annotation(arg.annotation)

    def annotation(self, node: ast.expr) -> None:
        """What is said of a type."""
        for one in ast.walk(node):
            match one:
                case ast.Name(id=name):
                    known = {*self.names.types, *self.names.classes, *self.names.taken}
                    require(name in known or isinstance(getattr(builtins, name, None), type))
                case ast.Attribute(value=ast.Name(id=module), attr=name):
                    require(name in MODULES.get(self.names.modules.get(module, ""), ()))
                case _:
                    plain = (ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp)
                    require(isinstance(one, (*plain, ast.BitOr, ast.Load)))
                    require(not isinstance(one, ast.Constant) or "%" not in str(one.value))

    def inside(self, node: ast.AST) -> None:
        """A statement or an expression in a function."""
        match node:
            case ast.FunctionDef(decorator_list=[]):
                self.function(node)
            case ast.Lambda(args=arguments):
                self.arguments(arguments, method=False)
                self.inside(node.body)
            case ast.AnnAssign(annotation=annotation):
                self.annotation(annotation)
                self.each(part for part in (node.target, node.value) if part is not None)
            case ast.Try(finalbody=[]):
                self.each([*node.body, *node.orelse])
                for handler in node.handlers:
                    self.handler(handler)
            case ast.Constant(value=value):
                require("%" not in value if isinstance(value, str) else type(value) is not bytes)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=spec):
                require(self.is_plain(value))
                for part in spec.values if isinstance(spec, ast.JoinedStr) else []:
                    # 'c' would make any character of a number, and so a template with '%'
                    require(isinstance(part, ast.Constant) and "c" not in str(part.value))
                self.each(ast.iter_child_nodes(node))
            case ast.Name():
                self.name(node)
            case ast.Attribute():
                self.attribute(node)
            case ast.Call():
                self.call(node)
            case ast.Compare(left=left, ops=ops, comparators=values):
                self.inside(left)
                for op, value in zip(ops, values, strict=True):
                    if isinstance(op, ast.Is | ast.IsNot):
                        require(isinstance(value, ast.Constant) and value.value in (None, True, 0))
                    self.each(parts_of(value) if isinstance(op, ast.In | ast.NotIn) else [value])
            case ast.For(iter=values) | ast.comprehension(iter=values):
                require(not getattr(node, "is_async", 0))
                self.consumed(values)
                self.each(part for part in ast.iter_child_nodes(node) if part is not values)
            case ast.Subscript(value=ast.Attribute() as value, ctx=ast.Load()) if self.is_environ(
                value
            ):
                self.inside(node.slice)
            case _:
                require(isinstance(node, EXPRESSIONS + STATEMENTS))
                self.each(ast.iter_child_nodes(node))

    def each(self, nodes: Iterable[ast.AST]) -> None:
        """Some parts of a function."""
        for node in nodes:
            self.inside(node)

    def handler(self, node: ast.ExceptHandler) -> None:
        """An error that is caught: of a kind that is named."""
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        for kind in kinds:
            require(isinstance(kind, ast.Name) and kind.id in ERRORS)
        self.each(node.body)

    def name(self, node: ast.Name) -> None:
        """A name, other than one that is called or of which something is taken."""
        require(node.id not in self.names.modules and node.id not in self.names.types)
        require(node.id not in self.names.classes and not node.id.startswith("__"))
        require(self.names.taken.get(node.id) not in CLASSES)
        if hasattr(builtins, node.id):
            require(isinstance(node.ctx, ast.Load) and node.id in FUNCTIONS | ERRORS)

    def attribute(self, node: ast.Attribute) -> None:
        """An attribute: of a module, of ``self``, or of anything else."""
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        if base == "self":
            special = node.attr.startswith("__") and node.attr.endswith("__")
            require(not special or node.attr in METHODS)
            return
        require(isinstance(node.ctx, ast.Load))
        if base in self.names.modules:
            require(node.attr in MODULES[self.names.modules[base]] - CLASSES - {"environ"})
        elif base in self.names.classes:
            require(node.attr in self.names.fields)
        else:
            require(node.attr in self.names.attributes - VIEWS)
            require(base not in self.names.taken)
            require(not (isinstance(node.value, ast.Attribute) and self.of_module(node.value)))
            self.inside(node.value)

    def of_module(self, node: ast.expr) -> bool:
        """Whether something is taken out of a module here."""
        if isinstance(node, ast.Name):
            return node.id in self.names.taken
        value = node.value if isinstance(node, ast.Attribute) else None
        return isinstance(value, ast.Name) and value.id in self.names.modules

    def call(self, node: ast.Call) -> None:
        """A call."""
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        match node.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name):
                require(name in self.names.methods | {"__init__"})
                self.each(arguments)
            case ast.Attribute(value=ast.Attribute() as value, attr="get") if self.is_environ(
                value
            ):
                self.each(arguments)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if (
                module in self.names.modules
            ):
                require(name in MODULES[self.names.modules[module]])
                self.each(arguments)
            case ast.Name(id=name) if name in self.names.taken or name in self.names.classes:
                self.each(arguments)
            case ast.Name(id="str"):
                require(len(arguments) == 1 and self.is_plain(arguments[0]))
                self.each(arguments)
            case ast.Name(id="print"):
                require(not node.keywords)
                self.each(arguments)
            case ast.Name(id="len"):
                for argument in arguments:
                    self.consumed(*parts_of(argument))
            case ast.Name(id=name) if name in CONSUMERS:
                self.consumed(*arguments)
            case _:
                self.inside(node.func)
                self.each(arguments)

    def consumed(self, *nodes: ast.AST) -> None:
        """Something that is gone through at once: it may be a view of a dictionary."""
        for node in nodes:
            match node:
                case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]) if (
                    name in VIEWS
                ):
                    self.inside(value)
                case _:
                    self.inside(node)

    def is_plain(self, node: ast.expr) -> bool:
        """Whether an expression gives a number or a text, if anything."""
        match node:
            case ast.Constant() | ast.JoinedStr():
                return True
            case ast.Name(id=name):
                known = self.names.constants | (
                    {self.names.index} if self.in_constructor() else set()
                )
                return name in known - {""}
            case ast.Call(func=ast.Name(id="int" | "float" | "len" | "round")):
                return True
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=args):
                environ = isinstance(value, ast.Attribute) and self.is_environ(value)
                system = isinstance(value, ast.Name) and self.names.modules.get(value.id) == "os"
                reading = (environ and name == "get") or (system and name == "getenv")
                return reading and not node.keywords and all(map(self.is_plain, args[1:]))
            case ast.Subscript(value=ast.Attribute() as value):
                return self.is_environ(value)
        return False

    def in_constructor(self) -> bool:
        """Whether this is in the bot's constructor."""
        playing = self.names.playing
        return playing is not None and self.method in playing.body and is_constructor(self.method)

    def is_environ(self, node: ast.Attribute) -> bool:
        """Whether this is the environment, which holds text."""
        system = isinstance(node.value, ast.Name) and self.names.modules.get(node.value.id) == "os"
        return system and node.attr == "environ"


def is_constructor(node: ast.AST | None) -> bool:
    """Whether a method makes an instance."""
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"


def body_of(node: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function, without its docstring."""
    match node.body[0]:
        case ast.Expr(value=ast.Constant(value=str())):
            return node.body[1:]
    return node.body


def parts_of(node: ast.expr) -> list[ast.AST]:
    """What is in a set, whose order does not show here; anything else itself."""
    match node:
        case ast.Set(elts=parts):
            return [*parts]
        case ast.SetComp():
            return [*ast.iter_child_nodes(node)]
        case ast.Call(func=ast.Name(id="set" | "frozenset"), args=parts, keywords=[]):
            return [*parts]
    return [node]
