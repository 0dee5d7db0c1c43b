"""The rule ``coup/income_undeserved``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    paid = log.after(log.turn[0], "coins_moved")
    again = log.insert(paid, after=paid)
    again["coins"][log.turn[0]["seat"]] += 1
    return log


def test_income_undeserved() -> None:
    """A coin of Income that was paid twice is found."""
    assert fired(_changed) == {"coup/income_undeserved"}
