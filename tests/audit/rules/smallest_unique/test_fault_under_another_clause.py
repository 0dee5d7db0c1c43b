"""The rule ``smallest_unique/fault_under_another_clause``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("update")
    log.first("fault")["penalty"] = "forfeit"
    return log


@doctored
def _illegal() -> Doctored:
    log = failed("update")
    log.first("fault")["kind"] = "illegal"
    return log


@doctored
def _tampered() -> Doctored:
    log = failed("select")
    log.first("fault")["kind"] = "tampered"
    return log


def test_fault_under_another_clause() -> None:
    """A fault that costs no more than the game is found."""
    assert fired(_changed) == {"smallest_unique/fault_under_another_clause"}


def test_faults_of_a_kind_that_the_step_does_not_know() -> None:
    """An illegal update is found, and a tampered file in a game without files."""
    assert "smallest_unique/fault_under_another_clause" in fired(_illegal)
    assert fired(_tampered) == {"smallest_unique/fault_under_another_clause"}
