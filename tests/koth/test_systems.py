"""Koth on other systems than Linux: it checks logs there, and says that bots do not run there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schema.log_path import path_text, shell_word
from tests.koth.commands import COMMAND, ROOT

GOLDEN = ROOT / "tests" / "golden" / "coup-1"
LOG = GOLDEN / "wrong_challenge_of_an_assassin_costs_both_cards.jsonl"

ELSEWHERE = """
import sys
import sysconfig
from koth.cli.main import status
sysconfig.get_config_vars()  # it looks for a file of the system that this Python was built for
sys.platform = "darwin"
sys.exit(status(sys.argv[1:]))
"""

CHECKS = [
    ["verify", GOLDEN],
    ["audit", GOLDEN],
    ["explain", LOG],
    ["replay", LOG, "--at", "7"],
    ["faults", GOLDEN],
    ["sql", GOLDEN, "SELECT * FROM events"],
    ["leaderboard", GOLDEN],
    ["games", "coup"],
    ["rules", "coup"],
]


def run(command: list[str], folder: Path) -> tuple[int, str, str]:
    """The exit code and the output of a command."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    return done.returncode, done.stdout, done.stderr


def typed(words: list[object]) -> list[str]:
    """Words as they are typed."""
    return [str(word) for word in words]


@pytest.mark.parametrize("words", CHECKS, ids=lambda words: words[0])
def test_logs_are_checked_on_every_system(words: list[object], tmp_path: Path) -> None:
    """A command that runs no bots says the same without Linux."""
    elsewhere = run([sys.executable, "-c", ELSEWHERE, *typed(words)], tmp_path)
    assert elsewhere == run([*COMMAND, *typed(words)], tmp_path)
    assert elsewhere[1]


@pytest.mark.parametrize(
    "words",
    [
        ["play", "coup", "examples/taxman", "examples/bandit", "-o", "match.jsonl"],
        ["tournament", "coup", "examples", "-o", "cup"],
        ["try", "coup", "examples/taxman", "--against", "examples/bandit"],
        ["reask", LOG, "examples"],
    ],
    ids=lambda words: words[0],
)
def test_bots_run_on_linux_only(words: list[object], tmp_path: Path) -> None:
    """A command that runs bots says so elsewhere, and writes nothing."""
    code, out, err = run([sys.executable, "-c", ELSEWHERE, *typed(words)], tmp_path)
    assert (code, out) == (4, "")
    assert err.startswith("koth: bots run on Linux only; this is macOS. ")
    assert err.count("\n") == 1
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words", [["audit", GOLDEN], ["rules", "coup"], ["new-game", "duel"], ["sql", GOLDEN, "events"]]
)
def test_texts_have_the_same_encoding_on_every_system(words: list[object], tmp_path: Path) -> None:
    """No file is read or written in the encoding of the machine, which is not always UTF-8."""
    strict = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    code, _, err = run([sys.executable, *strict, "-m", "koth", *typed(words)], tmp_path)
    assert code in (0, 1), err
    assert "EncodingWarning" not in err


def test_paths_on_windows_have_slashes_and_double_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables and pages hold the same paths there, and a command with one can be copied."""
    monkeypatch.setattr(sys, "platform", "win32")
    assert path_text(r"cup\matches\1-000000.jsonl") == "cup/matches/1-000000.jsonl"
    assert shell_word(r"C:\my cups\spring") == '"C:/my cups/spring"'
    assert shell_word("spring") == "spring"
