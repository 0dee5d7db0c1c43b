"""Class bots whose one class serves several matches at once: all that they keep is in ``self``.

That is read off their source, without running it: what is defined outside of methods never
changes, and methods set attributes of ``self`` alone. A bot that might keep something elsewhere,
however harmless, is not shared: each match then has its own copy of it (see class_copies). To share
a class is only quicker: it is loaded once, and stays in the processor's caches from one match to
the next.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from referee.bots import Bot
from referee.classes import parsed

MODULES = """
    __future__ bisect cmath collections fractions functools heapq itertools math operator os random
    statistics string time typing
"""
"""What may be imported; each match has its own ``os`` and ``random`` (see class_copies)."""

GENERATORS = {"Random", "SystemRandom"}
"""What may be taken out of ``random``: the rest draws from its hidden generator."""

BEHIND = {"compile", "delattr", "eval", "exec", "getattr", "globals", "setattr", "vars"}
"""Functions that reach what no name in the source tells of."""

FAMILIAR = {"__contains__", "__file__", "__getitem__", "__init__", "__len__", "__name__"}
"""Names between double underscores that do not."""

RESERVED = {"self", "range"}
"""Names that must be what they seem to be."""

DECORATORS = {"classmethod", "property", "staticmethod"}

OF_THE_CLASS = {"__class_getitem__", "__init_subclass__", "__new__"}
"""Methods that are called with a class, although no decorator says so."""


@lru_cache(256)
def is_shareable(bot: Bot) -> bool:
    """Whether nothing of a bot but the instances of its class can change once it is loaded."""
    tree = parsed(bot)
    if tree is None:
        return False
    own = {path.partition("/")[0].partition(".")[0] for path, _ in bot.files}
    modules = frozenset(MODULES.split()) - own
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    instances = {id(name) for name in instances_of(tree.body)}
    inside = [node for node in ast.walk(tree) if node not in tree.body]
    return all(is_fixed(node, classes, modules) for node in tree.body) and all(
        is_harmless(node, instances) for node in inside
    )


def is_fixed(node: ast.stmt, classes: set[str], modules: frozenset[str]) -> bool:
    """Whether a statement outside of functions binds only what can never change."""
    match node:
        case ast.Import(names=names):
            return all(one.name in modules and one.asname not in RESERVED for one in names)
        case ast.ImportFrom(module=module, names=names, level=0):
            taken = {one.name for one in names}
            bound = {one.asname or one.name for one in names}
            if module == "random" and not taken <= GENERATORS:
                return False
            return module in modules - {"os"} and not bound & (RESERVED | {"*"})
        case ast.ClassDef(bases=bases, keywords=[], decorator_list=[]):
            made_from = {base.id if isinstance(base, ast.Name) else "" for base in bases}
            fixed = (is_fixed(part, set(), frozenset()) for part in node.body)
            return made_from <= classes | {"object"} and node.name not in RESERVED and all(fixed)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            decorators = (
                one.id if isinstance(one, ast.Name) else "" for one in node.decorator_list
            )
            return node.name not in RESERVED and all(one in DECORATORS for one in decorators)
        case ast.Assign(targets=targets, value=value):
            return all(map(is_constant, [value, *targets]))
        case ast.AnnAssign(target=target, value=value):
            return isinstance(target, ast.Name) and (value is None or is_constant(value))
        case ast.Expr(value=value):
            return isinstance(value, ast.Constant)
    return isinstance(node, ast.Pass)


def is_constant(node: ast.expr) -> bool:
    """Whether an expression gives something that nobody can change."""
    match node:
        case ast.Tuple(elts=parts) | ast.Call(func=ast.Name(id="range"), args=parts, keywords=[]):
            return all(map(is_constant, parts))
        case ast.BinOp(left=left, right=right):
            return is_constant(left) and is_constant(right)
        case ast.UnaryOp(operand=operand):
            return is_constant(operand)
    return isinstance(node, ast.Constant | ast.Name)


def is_harmless(node: ast.AST, instances: set[int]) -> bool:
    """Whether this sets no attributes but those of ``self``, one of ``instances``."""
    match node:
        case ast.Attribute(value=value, attr=name, ctx=context):
            of_self = isinstance(value, ast.Name) and value.id == "self"
            return is_plain(name) and (of_self or isinstance(context, ast.Load))
        case ast.Name(id=name, ctx=ast.Load()):
            return is_plain(name) and name not in BEHIND
        case ast.Name(id=name):
            return name not in RESERVED
        case ast.arg(arg=name):
            return name not in RESERVED or id(node) in instances
        case ast.arguments(defaults=defaults, kw_defaults=others):
            return all(one is None or is_constant(one) for one in [*defaults, *others])
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name not in RESERVED
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name not in RESERVED
        case ast.MatchMapping(rest=name):
            return name not in RESERVED
    return not isinstance(node, ast.Global | ast.Import | ast.ImportFrom)


def is_plain(name: str) -> bool:
    """Whether a name is not one of those that lead behind things, such as ``__dict__``."""
    return not (name.startswith("__") and name.endswith("__")) or name in FAMILIAR


def instances_of(body: Iterable[ast.stmt]) -> Iterator[ast.arg]:
    """The parameters that are an instance of the class that they stand in."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                    others = {one.id for one in part.decorator_list if isinstance(one, ast.Name)}
                    if part.name not in OF_THE_CLASS and others <= {"property"}:
                        yield from part.args.args[:1]
