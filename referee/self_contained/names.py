"""Collects the names that a class bot binds, for :mod:`referee.self_contained.proof`."""

from __future__ import annotations

import ast
import builtins

from referee.self_contained.vocabulary import FROM, HIDDEN, METHODS, MODULES, TYPES


class NotProven(Exception):
    """Raised for code outside of the part of Python that is listed."""


def require(condition: object) -> None:
    """Raises NotProven unless ``condition`` holds."""
    if not condition:
        raise NotProven


class Names:
    """Names bound in a file, by kind. Raises NotProven if a name could mean two things."""

    def __init__(self, tree: ast.Module, playing: str) -> None:
        """``playing`` is the bot's class."""
        nodes = [*ast.walk(tree)]
        self.classes = {one.name: one for one in nodes if isinstance(one, ast.ClassDef)}
        self.playing = self.classes.get(playing)
        self.modules: dict[str, str] = {}
        """Modules, by the names that they are bound to."""
        self.taken: dict[str, str] = {}
        """Members of modules, by the names that they are bound to."""
        self.types: dict[str, str] = {}
        """Members of modules that only annotations use."""
        self.fixed: list[str] = []
        """Names of modules, their members, functions and classes."""
        for statement in tree.body:
            self.fix(statement)
        parts = [part for node in self.classes.values() for part in node.body]
        everywhere = [*tree.body, *parts]
        self.constants = {one.id for part in everywhere for one in names_bound_by(part)}
        methods = {part.name for part in parts if isinstance(part, ast.FunctionDef)}
        self.methods = methods - {"__init__"}
        self.fields = {one.id for part in parts for one in names_bound_by(part)}
        """Constants of classes."""
        members = {one.attr for one in nodes if isinstance(one, ast.Attribute) and is_bound(one)}
        self.attributes = METHODS | ((members | self.methods | self.fields) - HIDDEN)
        self.check(bound_inside(tree))
        self.index = "" if is_made(nodes, playing) else index_of(self.playing)
        """The name of the index in the bot's constructor, if that is an integer throughout."""

    def fix(self, node: ast.stmt) -> None:
        """Take in a statement of the module, unless it binds constants."""
        match node:
            case ast.Import(names=names):
                for alias in names:
                    require(alias.name in MODULES)
                    self.modules[alias.asname or alias.name] = alias.name
                    self.fixed.append(alias.asname or alias.name)
            case ast.ImportFrom(module=str(module), names=names, level=0) if module != "__future__":
                for alias in names:
                    known = alias.name in FROM.get(module, ())
                    require(known or alias.name in TYPES.get(module, ()))
                    kind = self.taken if known else self.types
                    kind[alias.asname or alias.name] = alias.name
                    self.fixed.append(alias.asname or alias.name)
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                self.fixed.append(name)

    def check(self, inside: set[str]) -> None:
        """Each name means one thing, ``inside`` of functions and outside."""
        outside = {*self.fixed, *self.constants}
        require(len(outside) == len(self.fixed) + len(self.constants))
        require(not self.constants & self.methods and "range" not in self.methods)
        require(not any(name.startswith("__") for name in self.constants - {"__slots__"}))
        require(not inside & (outside | {"self"}) and "self" not in outside)
        require(not any(hasattr(builtins, name) for name in outside | inside))


# --- helpers -------------------------------------------------------------------------------------


def index_of(playing: ast.ClassDef | None) -> str:
    """The name of the constructor's only parameter, if it is bound once."""
    for part in playing.body if playing else []:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            names = [arg.arg for arg in part.args.args]
            every = [name for one in ast.walk(part) for name in names_of(one)]
            if len(names) == 2 and every.count(names[1]) == 1:
                return names[1]
    return ""


def is_made(nodes: list[ast.AST], playing: str) -> bool:
    """Whether the bot itself makes bots of its class, or calls a constructor again."""
    for one in nodes:
        if isinstance(one, ast.Name) and one.id == playing:
            return True
        if isinstance(one, ast.Attribute) and one.attr == "__init__":
            return True
    return False


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


def names_of(node: ast.AST) -> list[str]:
    """The names that a node binds: variables, parameters, functions, errors."""
    match node:
        case ast.Name(id=name) if is_bound(node):
            return [name]
        case ast.FunctionDef(name=name) | ast.ExceptHandler(name=str(name)) | ast.arg(arg=name):
            return [name]
    return []


def bound_inside(tree: ast.Module) -> set[str]:
    """All names that functions bind, other than ``self`` as the first parameter of methods."""
    found: set[str] = set()
    for node in tree.body:
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(part, ast.FunctionDef):
                first = part.args.args[:1] if part is not node else []
                ours = {id(part)} | {id(arg) for arg in first if arg.arg == "self"}
                others = (one for one in ast.walk(part) if id(one) not in ours)
                found |= {name for one in others for name in names_of(one)}
    return found


def parameters(node: ast.arguments) -> list[str]:
    """The names of all parameters."""
    args = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
    return [arg.arg for arg in args if arg is not None]
