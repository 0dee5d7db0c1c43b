"""The rule ``coins/oversize_without_excess``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_oversize_without_excess(tmp_path: Path) -> None:
    """An output said to be too long, and not cut, is found."""
    log = still()
    del next(event for event in log.events if event.get("kind") == "oversize")["cut"]
    assert fired(tmp_path, log) == {"coins/oversize_without_excess"}
