"""Find the classes in a Python file that can play (SU-8), without running the file."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace

from referee.bot import MAX_SOURCE, Bot, parsed
from referee.errors import BotsError
from referee.in_bot.class_worker import NAME
from schema.words import suggest

METHODS = {"select", "update"}


def bots_in(bot: Bot, where: str) -> list[Bot]:
    """Return the bots in a Python file: one class with the bot's name, or several with their own.

    A file that cannot be parsed stays a bot, which fails when it is loaded (SU-9). Raises BotsError
    if the bot is not a Python file, or the file is too large or has no class that can play.
    """
    bot = as_class(bot, where)
    if len(dict(bot.files)[bot.command[-1]].content) > MAX_SOURCE:
        raise BotsError(
            f"{where}: expected at most {MAX_SOURCE >> 10} KiB of Python in which to find a class, "
            "found more. A bots.toml can name the class with 'class'."
        )
    tree = parsed(bot)
    if tree is None:
        return [bot]
    names = _playing(tree)
    if len(names) == 1:
        return [replace(bot, class_name=names[0])]
    if not names:
        raise BotsError(
            f"{where}: expected a class with select and update, found none. A bots.toml can name "
            "one with 'class' that is made in another way."
        )
    return [replace(bot, name=name, class_name=name) for name in names]


def as_class(bot: Bot, where: str) -> Bot:
    """Return the bot as an interpreter and a Python file.

    Raises BotsError if it is neither, or if it has a file with the name of the worker.
    """
    file = bot.command[-1].removeprefix("./")
    if not file.endswith(".py") or file not in dict(bot.files) or len(bot.command) > 2:
        raise BotsError(
            f"{where}: bots of this game are Python classes; expected a .py file, "
            f"found '{' '.join(bot.command)}'."
        )
    if NAME in bot.paths:
        raise BotsError(
            f"{where}: the program that runs a class has the name {NAME} in the bot's folder; "
            "expected another name of a bot's file or folder."
        )
    interpreter = bot.command[0] if len(bot.command) == 2 else sys.executable
    return replace(bot, command=(interpreter, file))


def named(bot: Bot, class_name: str, where: str) -> Bot:
    """Return the bot that is the class of this name. Raises BotsError if the file lacks it."""
    bot = as_class(bot, where)
    tree = parsed(bot)
    names = set() if tree is None else _assigned(tree)
    if tree is not None and not names & {class_name, "*"}:
        hint = suggest(class_name, sorted(names))
        raise BotsError(f"{where}: there is no class '{class_name}'.{hint}")
    return replace(bot, class_name=class_name)


def _assigned(tree: ast.Module) -> set[str]:
    """Return the names that a file assigns, defines or imports, at any depth."""
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
    return names


def _playing(tree: ast.Module) -> list[str]:
    """Return the names of the classes that can play and are not bases of others that can."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    bases = {name: _bases(node) for name, node in classes.items()}
    methods = {name: _methods(node) for name, node in classes.items()}
    for name in classes:  # a base is defined before its subclasses
        for base in bases[name]:
            methods[name] |= methods.get(base, set())
    playing = [name for name in classes if methods[name] >= METHODS]
    return [name for name in playing if not any(name in bases[other] for other in playing)]


def _bases(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


def _methods(node: ast.ClassDef) -> set[str]:
    return {
        part.name for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
    }
