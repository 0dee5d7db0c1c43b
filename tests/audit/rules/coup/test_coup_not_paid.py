"""The rule ``coup/coup_not_paid``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C[_'<=0]\n")
    log.drop(log.after(log.turn[1], "coins_moved"))
    return log


def test_coup_not_paid() -> None:
    """A Coup that cost nothing is found."""
    assert fired(_changed) == {"coup/coup_not_paid"}
