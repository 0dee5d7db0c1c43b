"""Types commands, in this process or in one of their own, and tells what came of it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from koth.cli.main import status

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "koth"]


@dataclass(frozen=True)
class Typed:
    """The output and the exit code of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return orjson.loads(self.out)


class Koth:
    """Types commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: object) -> Typed:
        """Run ``koth`` with these words; nobody may see a traceback."""
        self._capsys.readouterr()
        code = status([str(word) for word in words])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return Typed(code, out, err)

    def complaint(self, *words: object, code: int = 2) -> str:
        """The one sentence on standard error of a command that fails with ``code``."""
        typed = self(*words)
        assert (typed.code, typed.out) == (code, ""), typed
        assert typed.err.startswith("koth: ")
        assert typed.err.count("\n") == 1
        assert "bug in koth" not in typed.err
        return typed.err.removeprefix("koth: ").rstrip()


def started(*words: object, stdout: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """``koth`` in a process of its own, in a session of its own."""
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def script(path: Path, stderr: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """A script that uses Koth, in a process and a session of its own; it may complain unheard."""
    return subprocess.Popen(
        [sys.executable, path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=stderr,
        start_new_session=True,
    )


def typed(*words: object) -> Typed:
    """``koth`` run to its end in a process of its own."""
    process = started(*words)
    out, err = process.communicate(timeout=60)
    return Typed(process.returncode, out, err)
