"""The table in docs/isolation.md: it is complete, and what it says is what is tested."""

from __future__ import annotations

import ast

import pytest

from tests.abuse.playing import BOTS, NO_FAULT, NOT_CONTAINED, Row, table

VERDICTS = {NO_FAULT, "crash", "illegal", "oversize", "tampered", "timeout"}
BOT_FILES = {f"{path.parent.name}/{path.stem}": path for path in sorted(BOTS.glob("*/*.py"))}


def test_every_bot_has_its_row() -> None:
    """There is a row for each bot, and none for anything else, in the order of their groups."""
    assert set(table()) == set(BOT_FILES)
    groups = [name.partition("/")[0] for name in table()]
    assert groups == sorted(groups, key=groups.index)


@pytest.mark.parametrize("row", table().values(), ids=lambda row: str(row.name))
def test_a_row_says_what_its_bot_says(row: Row) -> None:
    """What a bot tries is the one line of its docstring; what comes of it is a verdict."""
    docstring = ast.get_docstring(ast.parse(BOT_FILES[row.name].read_text()))
    assert row.tries == docstring
    for verdict in (row.sandbox, row.process):
        why = verdict.removeprefix(f"{NOT_CONTAINED}: ")
        assert VERDICTS.issuperset(verdict.split(" or ")) or (why != verdict and len(why) > 10)


def test_what_a_sandbox_does_not_contain_no_process_does() -> None:
    """Whatever gets out of a sandbox gets out of a mere process too."""
    for row in table().values():
        if row.sandbox.startswith(NOT_CONTAINED):
            assert row.process.startswith(NOT_CONTAINED), row.name
