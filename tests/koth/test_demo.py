"""``koth demo``: the main job for every game, from bots to a verdict."""

from __future__ import annotations

import io
import subprocess
from contextlib import redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace
from typing import Any

import pytest

from koth.cli import demo
from koth.cli.main import status
from schema import registry
from tests.sampling import left_to_the_long_run


def typed(command: list[str], **options: Any) -> CompletedProcess[str]:
    """What a command of the demo prints: Coup is played in a process, all others are run here."""
    if "coup" in command:
        return subprocess.run(command, **options)
    words = command[command.index("koth.cli.main") + 1 :]
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out):
        code = status(words)
    out.seek(0)
    return CompletedProcess(command, code, out.read())


@pytest.mark.parametrize(
    "run", [typed, pytest.param(subprocess.run, marks=left_to_the_long_run)], ids=["some", "all"]
)
def test_the_demo_shows_what_it_says(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every log of the demo verifies, the audit finds nothing, a ruling of each game is shown.

    In the long run each of its commands has a process of its own, as it always has for people.
    """
    monkeypatch.setattr(demo, "subprocess", SimpleNamespace(run=run, PIPE=subprocess.PIPE))
    assert status(["demo", "-o", str(tmp_path / "demo")]) == 0
    out = capsys.readouterr().out
    for game, matches in {"bank_heist": 2, "coins": 2, "coup": 20, "smallest_unique": 18}.items():
        part = out[out.index(f"$ koth tournament {game} ") :]
        assert f"\n{matches + 1} logs: {matches + 1} verified\n" in part
        assert f"\nno findings in {matches + 1} logs by " in part
        assert (tmp_path / "demo" / game / "tournament.jsonl").exists()
    assert out.count("$ koth tournament ") == len(registry.names())
    for clause in ("CP-13  A card shown to meet a challenge", "BH-20  ", "SU-3  ", "CN-4  "):
        assert f"\n{clause}" in out
    assert "| sha256sum" in out
    for column in ("lies_found", "credits", "rounds_won", "rotating"):
        assert column in out
