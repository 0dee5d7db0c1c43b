"""Check the calls in a script: functions, methods, random generators and files."""

from __future__ import annotations

import ast
import re

from referee.bot import LIBRARY
from referee.self_contained.names import NotProven, require
from referee.self_contained.script_names import Kind
from referee.self_contained.script_values import ScriptValues
from referee.self_contained.script_vocabulary import (
    CONSUMERS,
    CONSUMING,
    DATA_FUNCTIONS,
    FILE_METHODS,
    FUNCTIONS,
    GOING_THROUGH,
    KEYED,
    KEYED_BUILTINS,
    KINDS,
    METHODS,
    MODES,
    SET_CHANGES,
    SET_TESTS,
    STREAMS,
)
from referee.self_contained.vocabulary import DRAWS

PLAIN_NAME = re.compile(r"\w[\w-]*(\.[\w-]+)*", re.ASCII)
"""The name of a file in the current folder."""


class ScriptCalls(ScriptValues):
    """Check that calls and functions use nothing but the listed part of Python.

    Every method raises NotProven for anything else.
    """

    opens_files = False
    """Whether a call that was checked opens a file."""

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
            case ast.Name(id="isinstance") if len(arguments) == 2 and not node.keywords:
                self.data(arguments[0])
                for part in ast.walk(arguments[1]):
                    plain = isinstance(part, ast.Name) and part.id in KINDS
                    require(plain or isinstance(part, ast.Tuple | ast.Load))
            case ast.Name(id="next") if arguments and not node.keywords:
                self.iterable(arguments[0])
                self.parts(arguments[1:])
            case ast.Name(id="len") if len(arguments) == 1 and not node.keywords:
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
        if (module, name) == ("copy", "deepcopy"):
            # its second argument gets the addresses of objects
            require(len(node.args) == 1 and not node.keywords)
            self.data(node.args[0])
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

    def generator(self, node: ast.expr) -> None:
        """Check the construction of a random generator."""
        require(isinstance(node, ast.Call))
        assert isinstance(node, ast.Call)
        self.seed(node)

    def seed(self, node: ast.Call) -> None:
        """Check the seed in a call; a NaN is none, because its hash is its address."""
        require(not node.keywords)
        for part in node.args:
            self.seed_value(part)

    def seed_value(self, node: ast.expr) -> None:
        """Check a value that is a number or a text, if anything, but no NaN."""
        match node:
            case ast.Constant():
                pass
            case ast.JoinedStr() | ast.Call(func=ast.Name(id="int" | "str" | "len")):
                self.data(node)
            case ast.Call(func=function, args=[key, *defaults], keywords=[]):
                require(self.reads_environment(function))
                self.data(key)
                for default in defaults:
                    self.seed_value(default)
            case ast.Subscript(value=value) if self.is_environment(value):
                self.data(node)
            case _:
                require(self.is_text(node))

    def reads_environment(self, function: ast.expr) -> bool:
        """Return whether a function returns a variable of the environment, or its default."""
        match function:
            case ast.Attribute(value=value, attr="get") if self.is_environment(value):
                return True
        return self.names.member(function) == ("os", "getenv")

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
        require(options.keys() <= {"mode", "encoding", "newline", "errors"})
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
