"""The rule ``coup/income_missing``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    log.drop(log.after(log.turn[0], "coins_moved"))
    return log


def test_income_missing() -> None:
    """An Income that brought nothing is found."""
    assert fired(_changed) == {"coup/income_missing"}
