"""The rule ``coins/oversize_overlooked``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_oversize_overlooked(tmp_path: Path) -> None:
    """An output beyond 64 KiB that was only called illegal is found."""
    log = still()
    fault = next(event for event in log.events if event.get("kind") == "oversize")
    fault["kind"] = "illegal"
    assert fired(tmp_path, log) == {"coins/oversize_overlooked"}
