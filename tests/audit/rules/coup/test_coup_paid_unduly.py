"""The rule ``coup/coup_paid_unduly``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C[_'<=0]\n")
    paid = log.after(log.turn[1], "coins_moved")
    log.drop(paid)
    log.insert(paid, after=log.turn[0])
    return log


def test_coup_paid_unduly() -> None:
    """A Coup that was paid when it was declared is found."""
    assert fired(_changed) == {"coup/coup_paid_unduly", "coup/coup_not_paid"}
