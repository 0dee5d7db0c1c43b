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
5. The bot runs in the very interpreter that this proof was made for, and no file beside it is named
   like a module of the library, which the library itself would import instead.

A bot that does not pass is not refused: each of its matches has a process of its own.
"""

from __future__ import annotations

import ast
import sys
from functools import lru_cache
from pathlib import PurePath

from referee.bot import Bot
from referee.roster.class_bots import parsed
from referee.self_contained.functions import Functions
from referee.self_contained.names import Names, NotProven, require
from referee.self_contained.vocabulary import DEFINED


def shares_nothing(bot: Bot) -> bool:
    """Whether several matches of a bot may be played in one process."""
    if PurePath(bot.command[0]) != PurePath(sys.executable):
        return False
    own = {path.partition("/")[0].partition(".")[0] for path, _ in bot.files}
    if own & {"__pycache__", *sys.stdlib_module_names}:
        return False  # the library itself imports such a module, and runs what was compiled
    tree = parsed(bot)
    if tree is None:
        return False
    try:
        proof = Proof(Names(tree, bot.class_name))
        for statement in tree.body:
            proof.outside(statement)
    except (NotProven, RecursionError):
        return False
    return True


shares_nothing = lru_cache(256)(shares_nothing)


class Proof:
    """A walk through a file, each part of which must be allowed."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.functions = Functions(names)

    def outside(self, node: ast.stmt) -> None:
        """A statement of a module."""
        match node:
            case ast.Import():
                pass  # names are checked where they are collected
            case ast.ImportFrom(module="__future__"):
                require([alias.name for alias in node.names] == ["annotations"])
            case ast.ImportFrom(level=0):
                pass
            case ast.ClassDef(bases=bases, keywords=[], decorator_list=[]):
                require(not getattr(node, "type_params", None))
                for base in bases:
                    require(
                        isinstance(base, ast.Name) and base.id in {"object", *self.names.classes}
                    )
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
        self.functions.function(
            node, instance="staticmethod" not in decorators and first == ["self"]
        )

    def definition(self, node: ast.stmt) -> None:
        """A constant or a function."""
        match node:
            case ast.FunctionDef(decorator_list=[]):
                self.functions.function(node)
            case ast.Assign(targets=targets, value=value):
                self.functions.constant(value)
                for target in targets:
                    self.bind(target)
            case ast.AnnAssign(target=ast.Name() as target, value=value, annotation=annotation):
                self.functions.annotation(annotation)
                if value is not None:
                    self.functions.constant(value)
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
