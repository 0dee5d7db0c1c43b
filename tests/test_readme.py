"""The commands of the README do what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from koth.cli.main import status
from tests.sampling import LONG_RUN, left_to_the_wheel

ROOT = Path(__file__).parent.parent
CONSOLE = re.compile(r"```console\n(.*?)```", re.S)


def commands(page: Path) -> list[str]:
    """The commands that a page tells its reader to type, in order."""
    blocks = CONSOLE.findall(page.read_text())
    lines = "".join(blocks).splitlines()
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def in_a_shell(command: str) -> tuple[int, str]:
    """The status of a command, and what it prints."""
    ran = subprocess.run(
        ["sh", "-c", command],
        env={
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout


@left_to_the_wheel
def test_every_command_of_the_readme_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All commands of the README, typed in their order in an empty folder, end with status 0.

    The first of Koth's is typed into a shell, and all that are not Koth's alone; in the long run
    all are. The others run in this process.
    """
    monkeypatch.chdir(tmp_path)
    typed = commands(ROOT / "README.md")
    assert len(typed) > 5
    for number, command in enumerate(typed):
        program, *words = shlex.split(command)
        if LONG_RUN or number == 0 or program != "koth" or set(words) & set("|<>&;"):
            code, printed = in_a_shell(command)
        else:
            code, printed = status(words), "".join(capsys.readouterr())
        assert code == 0, f"{command}\n{printed}"
        assert printed, f"{command} printed nothing"
