"""The rule ``coins/turn_without_an_answer``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_turn_without_an_answer(tmp_path: Path) -> None:
    """A turn before which nobody was asked is found."""
    log = still()
    log.drop(log.first("answered"))
    assert fired(tmp_path, log) == {"coins/turn_without_an_answer"}
