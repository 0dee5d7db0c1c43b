"""The source that a proof is about: one file in Python, and nothing that could replace it."""

from __future__ import annotations

import ast
import sys
from pathlib import PurePath

from referee.bot import LIBRARY, Bot, is_utf8, parsed
from referee.self_contained.names import require


def proven_source(bot: Bot) -> ast.Module:
    """Return the syntax tree of the last word of the bot's command.

    Raises NotProven unless the bot runs in this very interpreter, which reads the file as the proof
    does, and no file beside it is compiled code or could be a module of the library.
    """
    interpreter = PurePath(bot.command[0])
    require(interpreter == PurePath(sys.executable), f"it runs in {interpreter}")
    library = bot.modules & {"__pycache__", *LIBRARY}
    require(not library, f"a file is called {', '.join(sorted(library))}")
    require(is_utf8(dict(bot.files)[bot.command[-1]].content), "it is not in UTF-8")
    tree = parsed(bot)
    require(tree is not None, "it is not valid Python")
    assert tree is not None
    return tree
