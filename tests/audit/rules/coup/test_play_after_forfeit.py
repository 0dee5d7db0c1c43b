"""The rule ``coup/play_after_forfeit``."""

from __future__ import annotations

from pathlib import Path

from games.table import Fault
from tests.audit.doctoring import failing, fired


def test_play_after_forfeit(tmp_path: Path) -> None:
    """A call after a bot failed is found."""
    log = failing(Fault("crash"))
    fault = log.first("fault")
    call = {"type": "answered", "seat": 1 - fault["seat"], "ask": "turn", "output": ""}
    log.insert(call | {"appended": "F"}, after=fault)
    assert fired(tmp_path, log) == {"coup/play_after_forfeit"}
