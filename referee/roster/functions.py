"""Python functions as bots: they play in the referee's own process, without any isolation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.bot import Bot, BotFile, checked_name

SOURCE = "source.py"
"""The name of a function's source in the hash of its bot."""


@dataclass(frozen=True, kw_only=True)
class FunctionBot(Bot):
    """A function, or for the *class* protocol a class, that plays."""

    function: Callable[..., Any] = field(compare=False)


def function_bot(function: Callable[..., Any]) -> FunctionBot:
    """Return the bot of a function, with the function's name.

    Its command is ``python:MODULE.QUALIFIED_NAME``, and its only file is the source of the function
    itself; without a source, such as for a built-in function, it has none. An object without a name
    counts as its class. Raises BotsError if the name is not valid for a bot.
    """
    is_named = hasattr(function, "__qualname__") and hasattr(function, "__module__")
    named = function if is_named else type(function)
    path = f"{named.__module__}.{named.__qualname__}"
    files: tuple[tuple[str, BotFile], ...] = ()
    with suppress(UnicodeEncodeError):
        if source := _source(named):
            files = ((SOURCE, BotFile(source.encode(), False)),)
    name = checked_name(named.__name__, Path(path))
    return FunctionBot(name, (f"python:{path}",), files, function=function)


def _source(named: Callable[..., Any]) -> str:
    """Return the source of a function or a class; empty if it has none.

    A class of a notebook has none itself, but its methods do.
    """
    if (source := _own_source(named)) or not inspect.isclass(named):
        return source
    return "".join(map(_own_source, filter(inspect.isfunction, vars(named).values())))


def _own_source(part: Callable[..., Any]) -> str:
    try:
        return inspect.getsource(part)
    except (OSError, TypeError):
        return ""
