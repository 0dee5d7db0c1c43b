"""``koth demo``: the main job, from bots to a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from koth.main import status


def test_the_demo_shows_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every log of the demo's tournament verifies, the audit finds nothing, the rest is shown."""
    assert status(["demo", "-o", str(tmp_path / "demo")]) == 0
    out = capsys.readouterr().out
    assert "\n133 logs: 133 verified\n" in out
    assert "\nno findings in 133 logs by " in out
    assert "CP-13  A card shown to meet a challenge" in out
    assert "| sha256sum" in out
    assert "points_per_game" in out
    assert "lies_found" in out
    assert (tmp_path / "demo" / "coup" / "tournament.jsonl").exists()
