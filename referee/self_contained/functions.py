"""Check the functions of a class bot, statement by statement."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from referee.self_contained.names import Names, at, parameters, require
from referee.self_contained.vocabulary import (
    CLASSES,
    CONSUMERS,
    ERRORS,
    EXPRESSIONS,
    FUNCTIONS,
    MODULES,
    STATEMENTS,
    VIEWS,
)

ANNOTATIONS = (ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp, ast.BitOr, ast.Load)
"""Nodes of an annotation, besides names and attributes."""


CONSTANTS = (ast.Tuple, ast.Call, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)
"""Nodes of a value that cannot change, besides names and constants; only ``range`` is called."""


class FunctionCheck:
    """Check that functions use nothing but the listed part of Python.

    Every method raises NotProven for anything else.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.method: ast.FunctionDef | None = None
        """The function that is being checked."""

    def constant(self, node: ast.expr) -> None:
        """Check an expression whose value cannot change."""
        for part in ast.walk(node):
            match part:
                case ast.Name(id=name):
                    require(name == "range" or name in self.names.constants)
                case ast.Constant():
                    self._check(part)
                case _:
                    require(isinstance(part, CONSTANTS))

    def function(self, node: ast.FunctionDef) -> None:
        """Check a function."""
        require(not getattr(node, "type_params", None))
        self._check_arguments(node.args)
        if node.returns is not None:
            self.annotation(node.returns)
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        self.method, outer = node, self.method
        self._check(*body)
        self.method = outer

    def annotation(self, node: ast.expr) -> None:
        """Check an annotation."""
        names = self.names
        known = {*names.types, *names.classes, *names.members, *names.modules}
        for part in ast.walk(node):
            match part:
                case ast.Name(id=name):
                    require(name in known or isinstance(getattr(builtins, name, None), type))
                case ast.Attribute(value=ast.Name(id=module), attr=name):
                    require(name in CLASSES & MODULES.get(names.modules.get(module, ""), set()))
                case _:
                    require(isinstance(part, ANNOTATIONS))

    def _check_arguments(self, node: ast.arguments) -> None:
        for default in [*node.defaults, *node.kw_defaults]:
            if default is not None:
                self.constant(default)
        for argument in parameters(node):
            if argument.annotation is not None:
                self.annotation(argument.annotation)

    def _check(self, *nodes: ast.AST) -> None:
        for node in nodes:
            with at(node):
                self._check_node(node)

    def _check_node(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef(decorator_list=[]):
                self.function(node)
            case ast.Lambda(args=arguments, body=body):
                self._check_arguments(arguments)
                self._check(body)
            case ast.AnnAssign(annotation=annotation, target=target, value=value):
                self.annotation(annotation)
                self._check(target, *([value] if value else []))
            case ast.Try(body=body, orelse=orelse, handlers=handlers, finalbody=[]):
                self._check(*body, *orelse)
                for handler in handlers:
                    kind = handler.type
                    with at(handler):
                        for error in kind.elts if isinstance(kind, ast.Tuple) else [kind]:
                            require(isinstance(error, ast.Name) and error.id in ERRORS)
                    self._check(*handler.body)
            case ast.Constant(value=value):
                require("%" not in value if isinstance(value, str) else type(value) is not bytes)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=spec):
                require(self._is_plain(value))
                for part in spec.values if isinstance(spec, ast.JoinedStr) else []:
                    # 'c' makes any character of a number, and so a template with '%'
                    require(isinstance(part, ast.Constant) and "c" not in str(part.value))
                self._check(*ast.iter_child_nodes(node))
            case ast.Name():
                self._check_name(node)
            case ast.Attribute():
                self._check_attribute(node)
            case ast.Call():
                self._check_call(node)
            case ast.Compare(left=left, ops=ops, comparators=values):
                self._check(left)
                for op, value in zip(ops, values, strict=True):
                    if isinstance(op, ast.Is | ast.IsNot):
                        require(isinstance(value, ast.Constant) and value.value in (None, True, 0))
                    self._check(*set_parts(value))
            case ast.For(iter=values) | ast.comprehension(iter=values):
                require(not getattr(node, "is_async", 0))
                self._check_consumed([values])
                self._check(*(part for part in ast.iter_child_nodes(node) if part is not values))
            case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if self._is_environ(value):
                self._check(key)
            case _:
                require(isinstance(node, EXPRESSIONS + STATEMENTS))
                self._check(*ast.iter_child_nodes(node))

    def _check_name(self, node: ast.Name) -> None:
        # A name that is called, or of which something is taken, does not come here.
        name, names = node.id, self.names
        require(not name.startswith("__") and names.members.get(name) not in CLASSES)
        require(name not in {*names.modules, *names.types, *names.classes})
        if hasattr(builtins, name):
            require(name in FUNCTIONS | ERRORS)

    def _check_attribute(self, node: ast.Attribute) -> None:
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        if base == "self":
            require(not (node.attr.startswith("__") and node.attr.endswith("__")))
            return
        require(isinstance(node.ctx, ast.Load))
        if base in self.names.modules:
            require(node.attr in MODULES[self.names.modules[base]] - CLASSES - {"environ"})
        elif base in self.names.classes:
            require(node.attr in self.names.fields)
        else:
            require(node.attr in self.names.attributes - VIEWS)
            self._check(node.value)

    def _check_call(self, node: ast.Call) -> None:
        names = self.names
        arguments: list[ast.AST] = [*node.args, *(keyword.value for keyword in node.keywords)]
        match node.func:
            case ast.Attribute(
                value=ast.Call(func=ast.Name(id="super"), args=[], keywords=[]), attr=name
            ):
                require(name in names.methods | {"__init__"})
            case ast.Attribute(value=value, attr="get") if self._is_environ(value):
                pass
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in names.modules:
                require(name in MODULES[names.modules[module]])
            case ast.Name(id=name) if name in names.members or name in names.classes:
                pass
            case ast.Name(id="str"):
                require(len(arguments) == len(node.args) == 1 and self._is_plain(node.args[0]))
            case ast.Name(id="len") if not node.keywords:
                arguments = [part for argument in node.args for part in set_parts(argument)]
                self._check_consumed(arguments)
                return
            case ast.Name(id=name) if name in CONSUMERS:
                consumed = consumed_by(name, node.args)
                self._check_consumed(consumed)
                arguments = arguments[len(consumed) :]
            case _:
                self._check(node.func)
        self._check(*arguments)

    def _check_consumed(self, nodes: Iterable[ast.AST]) -> None:
        # An iterable that is consumed at once may be a view of a dictionary.
        for node in nodes:
            match node:
                case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]) if (
                    name in VIEWS
                ):
                    self._check(value)
                case _:
                    self._check(node)

    def _is_plain(self, node: ast.expr) -> bool:
        """Return whether an expression gives a number or a text, if anything."""
        match node:
            case ast.Constant() | ast.JoinedStr():
                return True
            case ast.Name(id=name):
                playing = self.names.playing
                in_constructor = (
                    playing is not None
                    and self.method in playing.body
                    and self.method.name == "__init__"
                )
                index = self.names.index if in_constructor else ""
                return name in self.names.constants or name == index
            case ast.Call(func=ast.Name(id="int" | "float" | "len" | "round")):
                return True
            case ast.Call(func=function, args=[key, *defaults], keywords=[]):
                # A starred argument may give a default, too.
                reading = self._reads_environ(function) and not isinstance(key, ast.Starred)
                return reading and all(map(self._is_plain, defaults))
            case ast.Subscript(value=value):
                return self._is_environ(value)
        return False

    def _reads_environ(self, function: ast.expr) -> bool:
        match function:
            case ast.Attribute(value=ast.Name(id=module), attr="getenv"):
                return self.names.modules.get(module) == "os"
            case ast.Attribute(value=value, attr="get"):
                return self._is_environ(value)
        return False

    def _is_environ(self, node: ast.expr) -> bool:
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr="environ"):
                return self.names.modules.get(module) == "os"
        return False


def consumed_by(name: str, arguments: list[ast.expr]) -> list[ast.expr]:
    """Return the arguments that one of the CONSUMERS goes through, and does not keep."""
    if name == "zip":
        return arguments
    # ``max(a, b)`` returns one of its arguments, ``sum(a, b)`` may return ``b``.
    return arguments[:1] if len(arguments) == 1 or name not in {"max", "min"} else []


def set_parts(node: ast.expr) -> list[ast.AST]:
    """Return the parts of a set whose order does not show; of anything else the node itself."""
    match node:
        case ast.Set(elts=parts):
            return [*parts]
        case ast.SetComp():
            return [*ast.iter_child_nodes(node)]
        case ast.Call(func=ast.Name(id="set" | "frozenset"), args=parts, keywords=[]):
            return [*parts]
    return [node]
