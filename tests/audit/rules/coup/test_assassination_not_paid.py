"""The rule ``coup/assassination_not_paid``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("As\n")
    log.drop(log.after(log.turn[2], "coins_moved"))
    return log


def test_assassination_not_paid() -> None:
    """An Assassination that cost nothing when a Contessa stopped it is found."""
    assert fired(_changed) == {"coup/assassination_not_paid"}
