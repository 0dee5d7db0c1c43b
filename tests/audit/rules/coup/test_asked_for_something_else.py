"""The rule ``coup/asked_for_something_else``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_asked_for_something_else(tmp_path: Path) -> None:
    """A wrong name of the question is found."""
    log = turn("Tp\n")
    log.turn[1]["ask"] = "block"
    assert fired(tmp_path, log) == {"coup/asked_for_something_else"}
