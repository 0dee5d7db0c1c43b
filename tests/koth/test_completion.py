"""Completion in the shell, by the protocol that the shells speak; and colours for people only."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.koth.commands import COMMAND, ROOT, Koth


def completed(line: str) -> list[str]:
    """Return the words that bash offers at the end of a line."""
    words = {
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
        "_KOTH_COMPLETE": "complete_bash",
    }
    found = subprocess.run(
        COMMAND, cwd=ROOT, env={**os.environ, **words}, capture_output=True, text=True, check=True
    )
    assert found.stderr == ""
    return found.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("koth ver", ["verify"]),
        ("koth verify --for", ["--format"]),
        ("koth rules co", ["coins", "coup"]),
        ("koth rules coup CP-2", ["CP-2", "CP-20", "CP-21"]),
        ("koth play coup ex", ["examples"]),
        ("koth play coup examples/ta", ["examples/taxman"]),
        ("koth rules nonsense x", []),
    ],
)
def test_what_is_offered(line: str, offered: list[str]) -> None:
    """Commands, options, games, clauses and example bots are offered; nothing is, for nonsense."""
    assert completed(line) == offered


def test_the_script_for_a_shell(koth: Koth) -> None:
    """It is shown for any shell; a mistyped one comes with what was probably meant."""
    command = [*COMMAND, "--show-completion", "zsh"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "#compdef koth" in found.stdout
    assert "Did you mean 'bash'?" in koth.complaint("--show-completion", "bsh")
    assert "the current shell" in koth.complaint("--install-completion", "bash")


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_errors_are_coloured_on_a_terminal_only(
    no_color: str, coloured: bool, tmp_path: Path
) -> None:
    """On a terminal the word in front of an error is red, unless NO_COLOR is set."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    command = [*COMMAND, "verify", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, env=environment, stderr=theirs, check=False)
    os.close(theirs)
    told = os.read(ours, 4096).decode()
    os.close(ours)
    assert ran.returncode == 3
    assert told.endswith("expected a log (*.jsonl), found none.\r\n")
    assert told.startswith("\x1b[31m\x1b[1mkoth:\x1b[0m " if coloured else "koth: ")
