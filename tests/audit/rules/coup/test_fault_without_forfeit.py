"""The rule ``coup/fault_without_forfeit``."""

from __future__ import annotations

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired


@doctored
def _changed() -> Doctored:
    log = failing(Fault("crash"))
    log.first("fault")["penalty"] = "warning"
    return log


@doctored
def _of_another_clause() -> Doctored:
    log = failing(Fault("crash"))
    log.first("fault")["clause"] = "CP-5"
    return log


def test_fault_without_forfeit() -> None:
    """A fault with another penalty is found."""
    assert fired(_changed) == {"coup/fault_without_forfeit"}


def test_fault_under_another_clause() -> None:
    """A fault under another clause is found."""
    assert fired(_of_another_clause) == {"coup/fault_without_forfeit"}
