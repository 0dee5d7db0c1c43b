"""``koth demo``: the main job for every game, from bots to a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from koth.main import status
from schema import registry


def test_the_demo_shows_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every log of the demo verifies, the audit finds nothing, a ruling of each game is shown."""
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
