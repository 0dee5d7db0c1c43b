"""The help: commands in groups, each with an example that its own options allow."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from audit.query import query
from audit.tables import open_database
from koth.cli.commands import COMMANDS, EXAMPLES, GROUPS
from koth.cli.main import status
from schema.registry import card
from tests.sampling import left_to_the_wheel

GOLDEN = Path(__file__).parent.parent / "golden"
OLD_RESULTS = Path(__file__).parent.parent / "data/coup-results.txt"


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


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_the_list_of_commands_cuts_no_sentence(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a terminal of any width the list holds the whole first sentence of each command."""
    monkeypatch.setenv("COLUMNS", columns)
    listed = " ".join(printed(capsys).split())
    for name in COMMANDS:
        sentence = printed(capsys, name).split("\n\n")[1]
        assert f"{name} {' '.join(sentence.split())}" in listed


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_help_explains_each_word_of_its_usage_line(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each argument of the usage line is explained; only commands with --cluster speak of it."""
    usage, _, explained = printed(capsys, *command.split()).partition("\n\n")
    usage = usage.replace("[OPTIONS]", "").replace("COMMAND [ARGS]...", "")
    for argument in re.findall(r"[\[{]([A-Z|]+)[\]}]", usage):
        assert re.search(rf"^  {re.escape(argument)} ", explained, re.M), argument
    assert "--cluster" not in explained or re.search("^  --cluster", explained, re.M)


@pytest.mark.parametrize("command", EXAMPLES)
def test_an_example_uses_options_that_exist(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help of a command ends with an example, and explains each option in it."""
    text = printed(capsys, *command.split())
    example = EXAMPLES[command]
    assert text.endswith(f"Example:\n  $ {example}\n")
    assert example.startswith(f"koth {command} ")
    words = shlex.split(example)
    options = text[: text.index("Example:")]
    assert all(re.search(rf"{word}\b", options) for word in words if word.startswith("-"))


def test_the_example_of_sql_finds_rows() -> None:
    """The query in the help of `koth sql` has rows."""
    with open_database([GOLDEN / "coup-2"]) as database:
        assert query(database, shlex.split(EXAMPLES["sql"])[-1]).rows


@left_to_the_wheel
def test_every_example_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All examples work in their order, typed by a reader who has bots and an old result.

    Commands that compare end with 1, a finding. `koth demo` has a test of its own.
    """
    monkeypatch.chdir(tmp_path)
    examples = card("coup").bots
    (tmp_path / "bots").mkdir()
    for name, path in ("taxman", "bots/fox.py"), ("lawyer", "bots/hen.py"), ("mask", "bots/owl.py"):
        shutil.copy(examples / f"{name}.py", path)
    Path("mine.py").write_text("raise SystemExit('not yet written')\n")
    shutil.copy(OLD_RESULTS, "old.txt")
    assert status(shlex.split(EXAMPLES["play"])[1:]) == 0
    Path("match.jsonl").rename("other.jsonl")
    for name in COMMANDS:
        below = [example for command, example in EXAMPLES.items() if command.startswith(name + " ")]
        for example in below or [EXAMPLES[name]]:
            if name != "demo":
                code = status(shlex.split(example)[1:])
                expected = (0, 1) if name in ("try", "again", "debug") else (0,)
                assert code in expected, (example, capsys.readouterr())


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_help_shows_no_python_types(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither ``list[str]`` nor a class of Koth is in the help."""
    assert not re.search(
        r"list\[|LogPath|<\w+ object|<(str|int|float)\b|<\w+\|", printed(capsys, *command.split())
    )
