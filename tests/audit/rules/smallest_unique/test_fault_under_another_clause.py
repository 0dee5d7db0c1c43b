"""The rule ``smallest_unique/fault_under_another_clause``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("update")
    log.first("fault")["penalty"] = "forfeit"
    return log


def test_fault_under_another_clause() -> None:
    """A fault that costs no more than the game is found."""
    assert fired(_changed) == {"smallest_unique/fault_under_another_clause"}
