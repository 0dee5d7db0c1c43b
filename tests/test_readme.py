"""The README: what it says to type does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CONSOLE = re.compile(r"```console\n(.*?)```", re.S)


def commands(page: Path) -> list[str]:
    """The commands that a page tells its reader to type, in order."""
    blocks = CONSOLE.findall(page.read_text())
    lines = "".join(blocks).splitlines()
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def test_every_command_of_the_readme_works(tmp_path: Path) -> None:
    """All commands of the README, typed in their order in an empty folder, end with status 0."""
    typed = commands(ROOT / "README.md")
    assert len(typed) > 5
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in typed:
        ran = subprocess.run(
            ["sh", "-c", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
        assert ran.stdout or ran.stderr, f"{command} printed nothing"
