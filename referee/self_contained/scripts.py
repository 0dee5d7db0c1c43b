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
from collections.abc import Sequence
from functools import lru_cache

from referee.bot import Bot
from referee.self_contained.names import NotProven, at, require
from referee.self_contained.script_calls import ScriptCalls
from referee.self_contained.script_names import Kind, ScriptNames
from referee.self_contained.script_vocabulary import CAUGHT, RAISED, SIMPLE
from referee.self_contained.source import proven_source


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


class Script(ScriptCalls):
    """A script that uses nothing but the listed part of Python. Raises NotProven for any other."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(ScriptNames(tree))
        self.statements(tree.body)

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
