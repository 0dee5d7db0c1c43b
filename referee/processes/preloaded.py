"""The modules that a fork server imports before it forks, because the bot imports them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from referee.bot import syntax_tree

COMMON = frozenset(
    """__future__ abc array base64 bisect cmath collections collections.abc contextlib copy csv
    dataclasses datetime decimal enum fractions functools hashlib heapq inspect io itertools json
    math numbers operator pathlib pickle pprint queue random re shutil statistics string struct
    subprocess tempfile textwrap threading time traceback types typing unicodedata warnings
    zlib""".split()  # noqa: SIM905
)
"""Modules that are imported before the fork if the bot imports them: they only define names."""


def modules(sources: Iterable[bytes]) -> list[str]:
    """Return the names of the modules to import for these Python sources, sorted."""
    imported = set().union(*map(_imports, sources))
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
