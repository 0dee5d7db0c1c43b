"""The rule ``coup/stopped_bot_quoted``."""

from __future__ import annotations

from pathlib import Path

from games.table import Fault
from tests.audit.doctoring import failing, fired


def test_stopped_bot_quoted(tmp_path: Path) -> None:
    """A half-written answer of a bot that was too slow is found."""
    log = failing(Fault("timeout"))
    log.first("fault")["appended"] = "F"
    assert fired(tmp_path, log) == {"coup/stopped_bot_quoted"}
