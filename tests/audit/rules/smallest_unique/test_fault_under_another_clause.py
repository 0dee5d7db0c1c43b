"""The rule ``smallest_unique/fault_under_another_clause``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_fault_under_another_clause(tmp_path: Path) -> None:
    """A fault that costs no more than the game is found."""
    log = failed("update")
    log.first("fault")["penalty"] = "forfeit"
    assert fired(tmp_path, log) == {"smallest_unique/fault_under_another_clause"}
