"""The rule ``coup/fault_without_forfeit``."""

from __future__ import annotations

from pathlib import Path

from games.table import Fault
from tests.audit.doctoring import failing, fired


def test_fault_without_forfeit(tmp_path: Path) -> None:
    """A fault with another penalty is found."""
    log = failing(Fault("crash"))
    log.first("fault")["penalty"] = "warning"
    assert fired(tmp_path, log) == {"coup/fault_without_forfeit"}
