"""Proves from the source of a script that its decisions may share a process.

A decision runs the whole script. Two of them in one process must not notice each other. That holds
for a script that is written in the part of Python that is listed here, and in nothing else:

1. Values are data: numbers, texts, and lists, tuples and dictionaries of them. Everything else has
   a name of its own kind, and only what that kind allows is done with it: functions are called, a
   random generator draws, a file is read and written, a set is changed and searched. So no text
   shows the address of an object, which follows from what else is in memory, and no set its order.
2. Names, functions of modules, methods: only those listed. None of them leads to a frame, a
   namespace, a module's variable, a clock, or anything that counts for the process. The names of
   the script are new for each decision, and so is the generator of :mod:`random`.
3. Files are opened only by the path in the first argument, or by a plain name in the bot's own
   folder.
4. Nobody notices that memory is used up: only errors of the kinds listed can be caught.
5. The script runs in the very interpreter that this proof was made for, and no file beside it is
   named like a module of the library, which the library itself would import instead.

A script that does not pass is not refused: each of its decisions has a process of its own.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from functools import lru_cache

from referee.bot import LIBRARY, Bot
from referee.self_contained.functions import ANNOTATIONS
from referee.self_contained.names import NotProven, at, parameters, require
from referee.self_contained.script_names import Kind, ScriptNames
from referee.self_contained.script_vocabulary import (
    CAUGHT,
    CONSTANTS,
    CONSUMERS,
    CONSUMING,
    DATA_FUNCTIONS,
    FILE_METHODS,
    FUNCTIONS,
    GOING_THROUGH,
    ITERATING,
    ITERATORS,
    KEYED,
    KEYED_BUILTINS,
    KINDS,
    METHODS,
    MODES,
    OPERATIONS,
    RAISED,
    SET_CHANGES,
    SET_TESTS,
    SIMPLE,
    STREAMS,
    TAKING_FUNCTIONS,
    VIEWS,
)
from referee.self_contained.source import proven_source
from referee.self_contained.vocabulary import DRAWS

PLAIN_NAME = re.compile(r"\w[\w-]*(\.[\w-]+)*", re.ASCII)
"""The name of a file in the current folder."""


def may_share_process(bot: Bot) -> bool:
    """Return whether several decisions of a script may run in one process."""
    return isinstance(_proven(bot), Script)


def objection(bot: Bot) -> NotProven | None:
    """Return the first reason why a script does not pass, if there is one."""
    proven = _proven(bot)
    return proven if isinstance(proven, NotProven) else None


def may_share_scratch(bot: Bot) -> bool:
    """Return whether several decisions of a script may find the same scratch folder."""
    proven = _proven(bot)
    return isinstance(proven, Script) and not proven.opens_files


@lru_cache(256)
def _proven(bot: Bot) -> Script | NotProven:
    """Return a script that passes, or the first reason why it does not."""
    try:
        plain = len(bot.command) == 2 and bot.command[1] in dict(bot.files) and not bot.class_name
        require(plain, "its command is not `python` with one of its files")
        tree = proven_source(bot)
        require(bot.script, "it starts as a command")
        return Script(tree)
    except NotProven as error:
        return error.with_traceback(None)
    except RecursionError:
        return NotProven("its code is nested too deeply")


class Script:
    """A script that uses nothing but the listed part of Python. Raises NotProven for any other."""

    def __init__(self, tree: ast.Module) -> None:
        self.names = ScriptNames(tree)
        self.opens_files = False
        self.statements(tree.body)

    # --- statements ---

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Check statements."""
        for node in nodes:
            with at(node):
                self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        """Check a statement."""
        match node:
            case ast.Expr(value=value):
                self.data(value)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self.assign(target, value)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                self.annotation(annotation)
                require(isinstance(target, ast.Name))
                if value is not None:
                    self.assign(target, value)
            case ast.AugAssign(target=target, value=value):
                if self.names.is_(target, Kind.SET):
                    self.set_(value)
                else:
                    self.target(target)
                    self.data(value)
            case ast.For(target=target, iter=values, body=body, orelse=other):
                self.target(target)
                self.iterable(values)
                self.statements([*body, *other])
            case (
                ast.While(test=test, body=body, orelse=other)
                | ast.If(test=test, body=body, orelse=other)
            ):
                self.test(test)
                self.statements([*body, *other])
            case ast.With(items=items, body=body):
                for item in items:
                    self.open(item.context_expr)
                    require(item.optional_vars is None or isinstance(item.optional_vars, ast.Name))
                self.statements(body)
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=[]):
                for handler in handlers:
                    kind = handler.type
                    with at(handler):
                        require(handler.name is None)
                        for error in kind.elts if isinstance(kind, ast.Tuple) else [kind]:
                            require(isinstance(error, ast.Name) and error.id in CAUGHT)
                    self.statements(handler.body)
                self.statements([*body, *other])
            case ast.FunctionDef(decorator_list=[], args=arguments, body=body, returns=returns):
                require(not getattr(node, "type_params", None))
                self.parameters(arguments)
                if returns is not None:
                    self.annotation(returns)
                self.statements(body)
            case ast.Return(value=value):
                if value is not None:
                    self.data(value)
            case ast.Raise(exc=error, cause=None):
                if isinstance(error, ast.Call):
                    self.parts(error.args)
                    self.keywords(error)
                    error = error.func
                require(error is None or (isinstance(error, ast.Name) and error.id in RAISED))
            case ast.Assert(test=test, msg=message):
                self.test(test)
                if message is not None:
                    self.data(message)
            case ast.Delete(targets=targets):
                for target in targets:
                    self.target(target)
            case ast.Import() | ast.ImportFrom():
                pass  # ScriptNames checks the imported names
            case _:
                require(isinstance(node, SIMPLE))

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """Check the assignment of a value."""
        if self.names.is_(target, Kind.SET):
            self.set_(value)
        elif self.names.is_(target, Kind.GENERATOR):
            self.generator(value)
        elif self.names.is_(target, Kind.TYPE):
            self.annotation(value)
        elif self.names.is_(target, Kind.FUNCTION):
            self.function(value)
        else:
            self.target(target)
            if isinstance(target, ast.Tuple | ast.List):
                self.iterable(value)
            else:
                self.data(value)

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

    # --- data ---

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
            case ast.NamedExpr(target=target, value=value):
                require(self.names.is_(target, Kind.DATA))
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
                if not (isinstance(function, ast.Constant) and function.value is None):
                    self.function(function)
                self.iterables(rest)
            case ast.Call(func=ast.Name(id=name)) if name in ITERATING:
                self.iterables(node.args)
                self.keywords(node)
            case ast.Call(func=ast.Name(id="set"), args=[part], keywords=[]) if self.is_text(part):
                self.data(part)
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]) if (
                name in VIEWS
            ):
                self.data(value)
            case ast.Call(func=function) if self.is_listed(function, ITERATORS):
                taking = self.names.member(function)[1] in TAKING_FUNCTIONS
                for part in node.args:
                    self.iterable_or_function(part, taking)
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

    def iterable_or_function(self, node: ast.expr, taking: bool) -> None:
        """Check an argument of a function that may be ``taking`` functions."""
        with suppress(NotProven):
            self.iterable(node)
            return
        require(taking)
        self.function(node)

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

    # --- calls ---

    def call(self, node: ast.Call) -> None:
        """Check a call that gives data."""
        arguments = node.args
        match node.func:
            case ast.Name(id="print"):
                self.parts(arguments)
                for keyword in node.keywords:
                    if keyword.arg != "file":
                        self.data(keyword.value)
                    else:
                        require(self.is_listed(keyword.value, STREAMS))
            case ast.Name(id="isinstance") if len(arguments) == 2:
                self.data(arguments[0])
                for part in ast.walk(arguments[1]):
                    plain = isinstance(part, ast.Name) and part.id in KINDS
                    require(plain or isinstance(part, ast.Tuple | ast.Load))
            case ast.Name(id="next"):
                self.iterable(arguments[0] if arguments else node)
                self.parts(arguments[1:])
            case ast.Name(id="len") if len(arguments) == 1:
                if not self.names.is_command_line(arguments[0]):
                    self.searchable(arguments[0])
            case ast.Name(id="sum") if arguments:
                self.iterable(arguments[0])
                self.parts(arguments[1:])
                self.keywords(node)
            case ast.Name(id=name) if name in CONSUMERS and len(arguments) == 1:
                self.iterables(arguments)
                self.keywords(node)
            case ast.Name(id=name) if name in DATA_FUNCTIONS:
                self.parts(arguments)
                self.keywords(node)
            case ast.Name() if self.names.is_(node.func, Kind.FUNCTION):
                self.parts(arguments)
                for keyword in node.keywords:
                    self.data(keyword.value)
            case function if any(self.names.member(function)):
                self.call_of_module(node)
            case ast.Attribute(value=value, attr=name):
                self.call_of_method(node, value, name)
            case _:
                raise NotProven

    def call_of_module(self, node: ast.Call) -> None:
        """Check a call of a function of a module."""
        module, name = self.names.member(node.func)
        if (module, name) == ("random", "seed"):
            self.seed(node)
            return
        require(name in FUNCTIONS.get(module, ()))
        arguments = [*node.args]
        if name == "reduce" and arguments:
            self.function(arguments.pop(0))
        elif name in {"nlargest", "nsmallest"} and arguments:
            self.data(arguments.pop(0))
        if name in GOING_THROUGH.get(module, ()) and arguments:
            self.iterable(arguments.pop(0))
        self.parts(arguments)
        self.keywords(node)

    def call_of_method(self, node: ast.Call, value: ast.expr, name: str) -> None:
        """Check a call of the method ``name`` of a value."""
        arguments = node.args
        if self.names.is_(value, Kind.GENERATOR):
            require(name in DRAWS)
            if name == "seed":
                self.seed(node)
                return
        elif self.names.is_(value, Kind.FILE) or is_call_of_open(value):
            require(name in FILE_METHODS)
            if not isinstance(value, ast.Name):
                self.open(value)
        elif self.is_listed(value, STREAMS):
            require(name in {"write", "flush"})
        elif self.names.is_set(value):
            self.set_(value)
            require(name in SET_CHANGES | SET_TESTS)
            for part in arguments if "update" in name or name in SET_TESTS else []:
                self.set_or_iterable(part)
                arguments = []
        elif self.is_environment(value):
            require(name == "get")
        elif not is_type(value):
            require(name in METHODS)
            self.data(value)
        else:
            require(name in {"fromkeys", "maketrans"})
        if name in CONSUMING and len(arguments) == 1:
            self.iterables(arguments)
        else:
            self.parts(arguments)
        self.keywords(node)

    def keywords(self, node: ast.Call) -> None:
        """Check the keyword arguments of a call: data, or a function that is called at once."""
        for keyword in node.keywords:
            if keyword.arg == "key" and self.calls_key(node.func):
                self.function(keyword.value)
            else:
                self.data(keyword.value)

    def calls_key(self, function: ast.expr) -> bool:
        """Return whether a function calls its argument ``key`` with data, and does not keep it."""
        match function:
            case _ if any(self.names.member(function)):
                return self.is_listed(function, KEYED)
            case ast.Name(id=name):
                return name in KEYED_BUILTINS
            case ast.Attribute(attr=name):
                return name == "sort"
        return False

    def function(self, node: ast.expr) -> None:
        """Check a function that is called with data, and gives data."""
        match node:
            case ast.Lambda(args=arguments, body=body):
                self.parameters(arguments)
                self.data(body)
            case ast.Call(func=function, keywords=[]) if self.names.member(function) == (
                "operator",
                "itemgetter",
            ):
                self.parts(node.args)
            case ast.Attribute(value=value, attr=name) if not self.names.module_of(value):
                if self.names.is_(value, Kind.GENERATOR):
                    require(name in DRAWS and name != "seed")
                else:
                    require(name in METHODS)
                    if not is_type(value):
                        self.data(value)
            case ast.Name(id=name) if name in DATA_FUNCTIONS:
                pass
            case _:
                require(self.names.is_(node, Kind.FUNCTION) or self.is_listed(node, FUNCTIONS))

    # --- sets, generators, files ---

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

    def generator(self, node: ast.expr) -> None:
        """Check the construction of a random generator."""
        require(isinstance(node, ast.Call))
        assert isinstance(node, ast.Call)
        self.seed(node)

    def seed(self, node: ast.Call) -> None:
        """Check the seed in a call; a NaN is none, because its hash is its address."""
        require(len(node.args) <= 1 and not node.keywords)
        for part in node.args:
            match part:
                case ast.Constant(value=value):
                    require(isinstance(value, str | int | None))
                case ast.JoinedStr() | ast.Call(func=ast.Name(id="int" | "str" | "len")):
                    self.data(part)
                case ast.Call(func=ast.Attribute(value=value, attr="get")):
                    require(self.is_environment(value))
                    self.parts(part.args)
                case ast.Call(func=function):
                    require(self.names.member(function) == ("os", "getenv"))
                    self.parts(part.args)
                case ast.Subscript(value=value) if self.is_environment(value):
                    self.data(part)
                case _:
                    require(self.is_text(part))

    def open(self, node: ast.expr) -> None:
        """Check a call of ``open``."""
        require(is_call_of_open(node))
        assert isinstance(node, ast.Call)
        self.opens_files = True
        path, *mode = node.args or [node]
        match path:
            case ast.Constant(value=str(name)):
                # A file with the name of a module would be imported instead of it.
                require(PLAIN_NAME.fullmatch(name))
                require(name.partition(".")[0] not in LIBRARY)
            case _:
                require(self.names.argument(path) == 1)
        options = {keyword.arg: keyword.value for keyword in node.keywords}
        require(options.keys() <= {"mode", "encoding", "newline", "errors"} and len(mode) <= 1)
        for option in [*mode, *options.values()]:
            require(isinstance(option, ast.Constant))
        for given in [*mode, options.get("mode")]:
            require(given is None or (isinstance(given, ast.Constant) and given.value in MODES))


def is_call_of_open(node: ast.expr) -> bool:
    """Return whether an expression opens a file."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"


def is_type(node: ast.expr) -> bool:
    """Return whether an expression is a builtin type of data."""
    return isinstance(node, ast.Name) and node.id in KINDS
