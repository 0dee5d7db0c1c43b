"""The table in docs/isolation.md is complete, and its verdicts are those that are tested."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import product

import pytest

from tests.abuse.parties import (
    BOTS,
    NO_FAULT,
    NOT_CONTAINED,
    PROCESSES,
    SCRIPTS,
    Row,
    each_party,
    games_of,
    is_slow,
    is_tried,
    table,
)

VERDICTS = {NO_FAULT, "crash", "illegal", "oversize", "tampered", "timeout"}
BOT_FILES = {f"{path.parent.name}/{path.stem}": path for path in sorted(BOTS.glob("*/*.py"))}


def test_every_bot_has_its_row() -> None:
    """Each bot has one row, in the order of the groups, and there are no other rows."""
    assert set(table()) == set(BOT_FILES)
    groups = [name.partition("/")[0] for name in table()]
    assert groups == sorted(groups, key=groups.index)


@pytest.mark.parametrize("row", table().values(), ids=lambda row: str(row.name))
def test_a_row_says_what_its_bot_says(row: Row) -> None:
    """A row has the bot's docstring, and a verdict per level."""
    docstring = ast.get_docstring(ast.parse(BOT_FILES[row.name].read_text()))
    assert row.tries == docstring
    for verdict in (row.sandbox, row.process):
        why = verdict.removeprefix(f"{NOT_CONTAINED}: ")
        assert VERDICTS.issuperset(verdict.split(" or ")) or (why != verdict and len(why) > 10)


@pytest.mark.parametrize("group", sorted({name.partition("/")[0] for name in BOT_FILES}))
def test_the_suite_tries_each_party(group: str) -> None:
    """Every bot plays in a sandbox, and some in a process; the rest is left to the long run."""
    rows = {name: row for name, row in table().items() if name.startswith(f"{group}/")}
    cases = [(*case.values, case.marks) for case in each_party(group).args[1]]
    played = [(name, level, marks) for names, level, marks in cases for name in names]
    assert sorted((name, level) for name, level, _ in played) == sorted(
        product(rows, ("sandbox", "process"))
    )
    waiting = {name for name, _, marks in played if marks}
    assert not any(marks for _, level, marks in played if level == "sandbox")
    assert waiting == {name for name in rows if is_tried(rows[name].process)} - set(PROCESSES)
    assert any(name in PROCESSES for name in rows)


@pytest.mark.parametrize("group", sorted({name.partition("/")[0] for name in BOT_FILES}))
def test_a_party_is_slow_or_is_not(group: str) -> None:
    """Bots that share a referee are all meant to be too slow, or none of them."""
    for names, level in (case.values for case in each_party(group).args[1]):
        assert len({is_slow(name, level) for name in names}) == 1


def test_what_plays_in_processes_is_contained_there() -> None:
    """The bots that play in processes in the suite exist, and the table says they are contained."""
    assert [name for name in PROCESSES if not is_tried(table()[name].process)] == []


def test_every_game_has_its_share() -> None:
    """Scripts misbehave in each of the games for scripts, also in the suite."""
    played = Counter(game for name in table() for game in games_of(name, SCRIPTS))
    assert played.keys() == set(SCRIPTS)
    assert min(played.values()) > 20


def test_what_a_sandbox_does_not_contain_no_process_does() -> None:
    """A bot that a sandbox does not contain is not contained in a process either."""
    for row in table().values():
        if row.sandbox.startswith(NOT_CONTAINED):
            assert row.process.startswith(NOT_CONTAINED), row.name
