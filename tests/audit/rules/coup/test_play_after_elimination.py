"""The rule ``coup/play_after_elimination``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import ending, fired


def test_play_after_elimination(tmp_path: Path) -> None:
    """A call after the last card of a player is found."""
    log = ending("C[_'<=0]")
    call = {"type": "answered", "seat": log.turn[0]["seat"], "ask": "close", "output": ""}
    log.insert(call | {"appended": "\n"}, after=log.after(log.turn[-1], "card_lost"))
    assert fired(tmp_path, log) == {"coup/play_after_elimination"}
