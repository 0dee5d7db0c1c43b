"""Rules are pure: they import nothing that knows a clock, and equal answers give equal bytes."""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games.table
from tests.factories import at_random, match_events, sealed

FOLDER = Path(games.table.__file__).parent
PURE = sorted(
    path
    for path in (*FOLDER.glob("*/*.py"), *FOLDER.glob("*.py"))
    if path.name not in ("__init__.py", "events.py", "importer.py", "narration.py", "text_board.py")
    and not {"bots", "importing"} & {*path.parts}
)
ALLOWED = {
    "__future__",
    "collections",
    "dataclasses",
    "fractions",
    "functools",
    "games",
    "itertools",
    "math",
    "schema",
    "types",
    "typing",
}
BANNED = {"open", "print", "input", "eval", "exec", "compile", "__import__", "globals", "vars"}
BANNED |= {"id", "hash", "breakpoint", "set", "frozenset"}
"""Functions that reach outside the rules, or whose order differs between two runs."""


def imported(tree: ast.AST) -> Iterator[str]:
    """The names of the top packages that a module imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield (node.module or "").partition(".")[0]


def test_there_are_rules_to_look_at() -> None:
    """The files looked at include rules and tournament of a game."""
    names = {str(path.relative_to(FOLDER)) for path in PURE}
    assert names >= {"table.py", "coup/rules.py", "coup/tournament.py", "coup/cards.py"}


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(FOLDER)))
def test_rules_import_nothing_impure(path: Path) -> None:
    """No clock, no files, no `random`, no operating system."""
    assert set(imported(ast.parse(path.read_text()))) <= ALLOWED


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(FOLDER)))
def test_rules_touch_nothing_global(path: Path) -> None:
    """No global or nonlocal statement, and no call that reaches outside or has no fixed order."""
    tree = ast.parse(path.read_text())
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global | ast.Nonlocal)]
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert {call.id for call in calls if isinstance(call, ast.Name)} & BANNED == set()
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Set | ast.SetComp)]


def logs() -> bytes:
    """A few logs of random games, one after the other."""
    return b"".join(
        sealed(match_events(at_random(random.Random(n)), f"{n:064x}"), f"{n:064x}")
        for n in range(20)
    )


def test_equal_seeds_and_answers_give_equal_bytes() -> None:
    """The same games are the same bytes, in this process and under any hash seed of Python."""
    expected = logs()
    assert logs() == expected
    code = "import sys; from tests.games.test_purity import logs; sys.stdout.buffer.write(logs())"
    for hash_seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        )
        assert ran.stdout == expected


def test_another_seed_gives_another_game() -> None:
    """The seed matters: the same answers under another seed meet other cards."""
    hands = {
        str(match_events(at_random(random.Random(1)), f"{n:064x}", max_calls=1)[1]["hands"])
        for n in range(10)
    }
    assert len(hands) > 5
