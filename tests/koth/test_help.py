"""The help: commands in groups, each with an example that its own options allow."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from audit.query import query
from audit.tables import open_database
from koth.cli.commands import COMMANDS, EXAMPLES, GROUPS
from koth.cli.main import status

GOLDEN = Path(__file__).parent.parent / "golden"
ALL = {name: command.example for name, command in COMMANDS.items()} | EXAMPLES


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the help of a command."""
    assert status([*words, "--help"]) == 0
    return capsys.readouterr().out


def test_the_help_lists_each_command_in_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    """Each group is a section, and each command is in one section."""
    sections = re.split(r"^(\w+):$", printed(capsys), flags=re.M)
    listed = dict(zip(sections[1::2], sections[2::2], strict=True))
    for title, group in GROUPS.items():
        assert re.findall(r"^  (\S+)", listed[title], re.M) == [*group]


@pytest.mark.parametrize("command", ALL)
def test_an_example_uses_options_that_exist(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help of a command ends with an example, and explains each option in it."""
    text = printed(capsys, *command.split())
    example = ALL[command]
    assert text.endswith(f"Example:\n  $ {example}\n")
    assert example.startswith(f"koth {command} ")
    words = shlex.split(example)
    options = text[: text.index("Example:")]
    assert all(re.search(rf"{word}\b", options) for word in words if word.startswith("-"))


def test_the_example_of_sql_finds_rows() -> None:
    """The query in the help of `koth sql` has rows."""
    with open_database([GOLDEN / "coup-2"]) as database:
        assert query(database, shlex.split(ALL["sql"])[-1]).rows


@pytest.mark.parametrize("command", ALL)
def test_the_help_shows_no_python_types(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither ``list[str]`` nor a class of Koth is in the help."""
    assert not re.search(
        r"list\[|LogPath|<\w+ object|<(str|int|float)\b|<\w+\|", printed(capsys, *command.split())
    )
