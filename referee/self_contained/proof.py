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
from functools import lru_cache

from referee.bot import Bot
from referee.self_contained.functions import FunctionCheck
from referee.self_contained.names import Names, NotProven, at, name_of, require
from referee.self_contained.source import proven_source
from referee.self_contained.vocabulary import DECORATORS, DEFINED


def shares_nothing(bot: Bot) -> bool:
    """Return whether several matches of a bot may be played in one process."""
    return objection(bot) is None


@lru_cache(256)
def objection(bot: Bot) -> NotProven | None:
    """Return the first reason why a bot does not pass, if there is one."""
    try:
        tree = proven_source(bot)
        names = Names(tree, bot.class_name)
        for statement in tree.body:
            with at(statement):
                check_statement(statement, names, FunctionCheck(names))
    except NotProven as error:
        return error.with_traceback(None)
    except RecursionError:
        return NotProven("its code is nested too deeply")
    return None


def check_statement(node: ast.stmt, names: Names, check: FunctionCheck) -> None:
    """Check a statement of a module. Raises NotProven."""
    match node:
        case ast.ImportFrom(module="__future__", level=0):
            require([alias.name for alias in node.names] == ["annotations"])
        case ast.Import() | ast.ImportFrom(level=0):
            pass  # Names checks the imported names
        case ast.ClassDef(bases=bases, keywords=[], decorator_list=[], body=body):
            require(not getattr(node, "type_params", None))
            for base in bases:
                require(isinstance(base, ast.Name) and base.id in {"object", *names.classes})
            for part in body:
                with at(part):
                    check_member(part, check)
        case _:
            check_definition(node, check)


def check_member(node: ast.stmt, check: FunctionCheck) -> None:
    """Check a statement of a class. Raises NotProven."""
    if not isinstance(node, ast.FunctionDef):
        check_definition(node, check)
        return
    special = node.name.startswith("__") and node.name.endswith("__")
    require(node.name in DEFINED or not special)
    require(DECORATORS.issuperset(map(name_of, node.decorator_list)))
    check.function(node)


def check_definition(node: ast.stmt, check: FunctionCheck) -> None:
    """Check the definition of a constant or a function. Raises NotProven."""
    match node:
        case ast.FunctionDef(decorator_list=[]):
            check.function(node)
        case ast.Assign(targets=targets, value=value):
            check.constant(value)
            for part in (part for target in targets for part in ast.walk(target)):
                require(isinstance(part, ast.Name | ast.Tuple | ast.Store))
        case ast.AnnAssign(target=ast.Name(), value=value, annotation=annotation):
            check.annotation(annotation)
            if value is not None:
                check.constant(value)
        case ast.Expr(value=ast.Constant()):
            pass  # a docstring is no value
        case _:
            require(isinstance(node, ast.Pass))
