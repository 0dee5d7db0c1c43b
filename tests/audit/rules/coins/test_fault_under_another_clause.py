"""The rule ``coins/fault_under_another_clause``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_fault_under_another_clause(tmp_path: Path) -> None:
    """An illegal answer under the clause of a timeout is found."""
    log = still()
    log.first("fault")["clause"] = "CN-8"
    assert fired(tmp_path, log) == {"coins/fault_under_another_clause"}
