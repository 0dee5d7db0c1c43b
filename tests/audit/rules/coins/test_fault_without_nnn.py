"""The rule ``coins/fault_without_nnn``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_fault_without_nnn(tmp_path: Path) -> None:
    """A fault after which the player acted is found, although it had no effect."""
    log = still()
    log.after(log.first("fault"), "acted")["actions"] = "XNN"
    assert fired(tmp_path, log) == {"coins/fault_without_nnn"}
