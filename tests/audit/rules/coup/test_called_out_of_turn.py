"""The rule ``coup/called_out_of_turn``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_called_out_of_turn(tmp_path: Path) -> None:
    """An answer under the other seat is found."""
    log = turn("I\n")
    log.turn[0]["seat"] = 1 - log.turn[0]["seat"]
    assert fired(tmp_path, log) == {"coup/called_out_of_turn"}
