"""The modules that a fork server imports before it forks, because the bot imports them."""

from __future__ import annotations

import ast
from functools import lru_cache

from referee.bot import Bot, syntax_tree
from referee.in_bot import class_worker

COMMON = frozenset(
    """__future__ abc array base64 bisect cmath collections collections.abc contextlib copy csv
    dataclasses datetime decimal enum fractions functools hashlib heapq inspect io itertools json
    math numbers operator pathlib pickle pprint queue random re shutil statistics string struct
    subprocess tempfile textwrap threading time traceback types typing unicodedata warnings
    zlib""".split()  # noqa: SIM905
)
"""Modules that are imported before the fork if the bot imports them: they only define names."""


def modules(bot: Bot) -> list[str]:
    """Return the names of the modules to import for the sources of a bot, sorted.

    The worker of class bots names those of most bots, for a server that has no bot's own sources.
    """
    sources = {name: file.content for name, file in bot.files if name.endswith(".py")}
    if len(sources) > 1:
        sources.pop(class_worker.NAME, None)
    imported = set().union(*map(_imports, sources.values()))
    if "collections" in imported:
        imported.add("heapq")  # Counter imports it when it is needed
    return sorted(COMMON.intersection(imported))


@lru_cache(maxsize=256)
def _imports(source: bytes) -> frozenset[str]:
    """Return the names of the modules that a Python source imports, at any depth."""
    tree = syntax_tree(source)
    nodes = [*ast.walk(tree)] if tree else []
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return frozenset(names)
