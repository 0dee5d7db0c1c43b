"""The rule ``coins/broken_off``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_broken_off(tmp_path: Path) -> None:
    """A game that ends a round too early is found."""
    log = busy()
    log.events[0]["settings"]["rounds"] += 1
    assert fired(tmp_path, log) == {"coins/broken_off"}
