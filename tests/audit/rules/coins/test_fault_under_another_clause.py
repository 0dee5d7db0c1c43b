"""The rule ``coins/fault_under_another_clause``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.first("fault")["clause"] = "CN-8"
    return log


def test_fault_under_another_clause() -> None:
    """An illegal answer under the clause of a timeout is found."""
    assert fired(_changed) == {"coins/fault_under_another_clause"}
