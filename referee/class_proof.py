"""Proves from the source of a class bot that its matches may share a process.

Two matches of a bot in one process must not notice each other. That holds if they share nothing but
values that cannot change, and if nothing can be read that depends on what the other has done. A bot
passes if its file is written in the part of Python that is listed here, and in nothing else:

1. Modules bind constants, functions, classes and modules; nothing there is called, decorated or
   changed. Attributes are set on ``self`` alone, which is always an instance of its class: a class
   is only ever called, and a method only ever taken from an instance.
2. Names, attributes, functions of modules: only those listed. None of them leads to a frame, a
   namespace, a module's variable, a file, a clock, or anything that counts for the process.
3. Nothing tells the address of an object, which follows from what else is in memory: no ``id``,
   ``hash`` or ``repr``, no text of anything but plain values, no order of a set.
4. Nobody notices that memory is used up: only errors of the kinds listed can be caught. The worker
   then gives up, and each match goes on by itself.
5. The bot runs in the very interpreter that this proof was made for.

A bot that does not pass is not refused: each of its matches has a process of its own.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePath

from referee.bots import Bot
from referee.class_vocabulary import (
    CLASSES,
    CONSUMERS,
    DEFINED,
    ERRORS,
    EXPRESSIONS,
    FROM,
    FUNCTIONS,
    HIDDEN,
    METHODS,
    MODULES,
    STATEMENTS,
    TYPES,
    VIEWS,
)
from referee.classes import parsed


class NotProven(Exception):
    """Something is not in the part of Python that is listed here."""


def shares_nothing(bot: Bot) -> bool:
    """Whether several matches of a bot may be played in one process."""
    if PurePath(bot.command[0]) != PurePath(sys.executable):
        return False
    tree = parsed(bot)
    own = {path.partition("/")[0].partition(".")[0] for path, _ in bot.files}
    return tree is not None and is_proven(tree, frozenset(own), bot.class_name)


shares_nothing = lru_cache(256)(shares_nothing)


def is_proven(tree: ast.Module, own: frozenset[str] = frozenset(), playing: str = "") -> bool:
    """Whether a file passes; ``own`` modules lie beside it, and ``playing`` is the bot's class."""
    try:
        Proof(tree, own, playing).make()
    except (NotProven, RecursionError):
        return False
    return True


def require(condition: object) -> None:
    """Raises NotProven unless ``condition`` holds."""
    if not condition:
        raise NotProven


class Proof:
    """A walk through a file, each part of which must be allowed."""

    def __init__(self, tree: ast.Module, own: frozenset[str], playing: str) -> None:
        self.tree, self.own, self.playing = tree, own, playing
        nodes = [*ast.walk(tree)]
        self.classes = {one.name: one for one in nodes if isinstance(one, ast.ClassDef)}
        self.functions = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
        self.modules: dict[str, str] = {}
        """Modules by the names that they are bound to."""
        self.taken: dict[str, str] = {}
        """What is taken out of modules, in the same way."""
        self.types: set[str] = set()
        self.constants: set[str] = set()
        parts = [part for node in self.classes.values() for part in node.body]
        methods = {part.name for part in parts if isinstance(part, ast.FunctionDef)}
        self.methods = methods - {"__init__"}
        self.fields = {one.id for part in parts for one in names_bound_by(part)} - methods
        """Constants of classes."""
        members = {one.attr for one in nodes if isinstance(one, ast.Attribute) and is_bound(one)}
        self.attributes = METHODS | ((members | self.methods | self.fields) - HIDDEN)
        self.bound = bound_inside(tree)
        self.index = self.sure_index()
        self.method: ast.FunctionDef | None = None
        """The method at hand."""

    def make(self) -> None:
        """Look at everything. Raises NotProven."""
        for statement in self.tree.body:
            self.outside(statement)
        fixed = {*self.classes, *self.functions, *self.modules, *self.taken, *self.types}
        outside = [*fixed, *self.constants]
        require(not self.bound & (fixed | self.constants | {"self"}))
        require(not any(hasattr(builtins, name) for name in [*outside, *self.bound]))
        require("self" not in outside and not self.constants & fixed)

    # --- outside of functions ---

    def outside(self, node: ast.stmt) -> None:
        """A statement of a module."""
        match node:
            case ast.Import(names=names):
                for alias in names:
                    require(alias.name in MODULES and alias.name not in self.own)
                    self.modules[alias.asname or alias.name] = alias.name
            case ast.ImportFrom(module="__future__"):
                require([alias.name for alias in node.names] == ["annotations"])
            case ast.ImportFrom(module=str(module), names=names, level=0):
                require(module.partition(".")[0] not in self.own)
                for alias in names:
                    known = FROM.get(module, frozenset())
                    require(alias.name in known or alias.name in TYPES.get(module, ()))
                    if alias.name in known:
                        self.taken[alias.asname or alias.name] = alias.name
                    else:
                        self.types.add(alias.asname or alias.name)
            case ast.ClassDef(bases=bases, keywords=[], decorator_list=[]):
                require(not getattr(node, "type_params", None))
                for base in bases:
                    require(isinstance(base, ast.Name) and base.id in {"object", *self.classes})
                for part in node.body:
                    self.within_class(part)
            case _:
                self.definition(node)

    def within_class(self, node: ast.stmt) -> None:
        """A statement of a class."""
        if not isinstance(node, ast.FunctionDef):
            self.definition(node)
            return
        dunder = node.name.startswith("__") and node.name.endswith("__")
        require(node.name in DEFINED or not dunder)
        decorators = [one.id if isinstance(one, ast.Name) else "" for one in node.decorator_list]
        require(decorators in ([], ["property"], ["staticmethod"]))
        first = [arg.arg for arg in node.args.posonlyargs + node.args.args][:1]
        self.function(node, instance="staticmethod" not in decorators and first == ["self"])

    def definition(self, node: ast.stmt) -> None:
        """A constant or a function."""
        match node:
            case ast.FunctionDef(decorator_list=[]):
                self.function(node)
            case ast.Assign(targets=targets, value=value):
                self.constant(value)
                for target in targets:
                    self.bind(target)
            case ast.AnnAssign(target=ast.Name() as target, value=value, annotation=annotation):
                self.annotation(annotation)
                if value is not None:
                    self.constant(value)
                    self.bind(target)
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring is no value
            case _:
                require(isinstance(node, ast.Pass))

    def bind(self, target: ast.expr) -> None:
        """A name, or several, for constants."""
        if isinstance(target, ast.Tuple):
            for part in target.elts:
                self.bind(part)
            return
        require(isinstance(target, ast.Name))
        assert isinstance(target, ast.Name)
        require(not target.id.startswith("__") or target.id == "__slots__")
        self.constants.add(target.id)

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
                require(name in self.constants)
            case _:
                require(isinstance(node, ast.Constant))
                self.inside(node)

    # --- functions ---

    def function(self, node: ast.FunctionDef, instance: bool = False) -> None:
        """A function; in a method the first parameter is an ``instance``."""
        require(not getattr(node, "type_params", None))
        self.arguments(node.args, instance)
        if node.returns is not None:
            self.annotation(node.returns)
        self.method, outer = node if instance else self.method, self.method
        self.each(body_of(node))
        self.method = outer

    def sure_index(self) -> str:
        """What the bot's constructor calls its index, if that is an integer throughout.

        It is where nobody but the referee constructs the bot, and the name is bound once.
        """
        for part in self.classes[self.playing].body if self.playing in self.classes else []:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                names = [arg.arg for arg in part.args.args]
                every = [name for one in ast.walk(part) for name in names_of(one)]
                if len(names) == 2 and every.count(names[1]) == 1 and not self.is_made():
                    return names[1]
        return ""

    def is_made(self) -> bool:
        """Whether the bot itself makes bots of its class, or calls a constructor again."""
        for one in ast.walk(self.tree):
            if isinstance(one, ast.Name) and one.id == self.playing:
                return True
            if isinstance(one, ast.Attribute) and one.attr == "__init__":
                return True
        return False

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
                    known = {*self.types, *self.classes, *self.taken}
                    require(name in known or isinstance(getattr(builtins, name, None), type))
                case ast.Attribute(value=ast.Name(id=module), attr=name):
                    require(name in MODULES.get(self.modules.get(module, ""), ()))
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
            case ast.FormattedValue(value=value, conversion=-1):
                require(self.is_plain(value))
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
        require(node.id not in self.modules and node.id not in self.types)
        require(node.id not in self.classes and not node.id.startswith("__"))
        require(self.taken.get(node.id) not in CLASSES)
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
        if base in self.modules:
            require(node.attr in MODULES[self.modules[base]] - CLASSES - {"environ"})
        elif base in self.classes:
            require(node.attr in self.fields)
        else:
            require(node.attr in self.attributes - VIEWS)
            require(base not in self.taken)
            require(not (isinstance(node.value, ast.Attribute) and self.of_module(node.value)))
            self.inside(node.value)

    def of_module(self, node: ast.expr) -> bool:
        """Whether something is taken out of a module here."""
        if isinstance(node, ast.Name):
            return node.id in self.taken
        value = node.value if isinstance(node, ast.Attribute) else None
        return isinstance(value, ast.Name) and value.id in self.modules

    def call(self, node: ast.Call) -> None:
        """A call."""
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        match node.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name):
                require(name in self.methods | {"__init__"})
                self.each(arguments)
            case ast.Attribute(value=ast.Attribute() as value, attr="get") if self.is_environ(
                value
            ):
                self.each(arguments)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in self.modules:
                require(name in MODULES[self.modules[module]])
                self.each(arguments)
            case ast.Name(id=name) if name in self.taken or name in self.classes:
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
                known = self.constants | ({self.index} if self.in_constructor() else set())
                return name in known - {""}
            case ast.Call(func=ast.Name(id="int" | "float" | "len" | "round")):
                return True
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=args):
                environ = isinstance(value, ast.Attribute) and self.is_environ(value)
                system = isinstance(value, ast.Name) and self.modules.get(value.id) == "os"
                reading = (environ and name == "get") or (system and name == "getenv")
                return reading and not node.keywords and all(map(self.is_plain, args[1:]))
            case ast.Subscript(value=ast.Attribute() as value):
                return self.is_environ(value)
        return False

    def in_constructor(self) -> bool:
        """Whether this is in the bot's constructor."""
        playing = self.classes.get(self.playing)
        return playing is not None and self.method in playing.body and is_constructor(self.method)

    def is_environ(self, node: ast.Attribute) -> bool:
        """Whether this is the environment, which holds text."""
        system = isinstance(node.value, ast.Name) and self.modules.get(node.value.id) == "os"
        return system and node.attr == "environ"


# --- helpers -------------------------------------------------------------------------------------


def is_constructor(node: ast.AST | None) -> bool:
    """Whether a method makes an instance."""
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"


def body_of(node: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function, without its docstring."""
    match node.body[0]:
        case ast.Expr(value=ast.Constant(value=str())):
            return node.body[1:]
    return node.body


def is_bound(node: ast.Name | ast.Attribute) -> bool:
    """Whether something is bound, or unbound, here."""
    return not isinstance(node.ctx, ast.Load)


def names_bound_by(statement: ast.stmt) -> list[ast.Name]:
    """The names that an assignment binds."""
    targets: list[ast.expr] = []
    match statement:
        case ast.Assign():
            targets = statement.targets
        case ast.AnnAssign():
            targets = [statement.target]
    nodes = (one for target in targets for one in ast.walk(target))
    return [one for one in nodes if isinstance(one, ast.Name) and is_bound(one)]


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


def names_of(node: ast.AST) -> list[str]:
    """The names that a node binds: variables, parameters, functions, errors."""
    match node:
        case ast.Name(id=name) if is_bound(node):
            return [name]
        case ast.FunctionDef(name=name) | ast.ExceptHandler(name=str(name)) | ast.arg(arg=name):
            return [name]
    return []


def bound_inside(tree: ast.Module) -> set[str]:
    """All names that functions bind, but for the first parameter of methods."""
    found: set[str] = set()
    for node in tree.body:
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(part, ast.FunctionDef):
                ours = {id(part)} | {id(arg) for arg in part.args.args[:1] if part is not node}
                others = (one for one in ast.walk(part) if id(one) not in ours)
                found |= {name for one in others for name in names_of(one)}
    return found


def parameters(node: ast.arguments) -> list[str]:
    """The names of all parameters."""
    args = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
    return [arg.arg for arg in args if arg is not None]
