"""The rule ``coup/assassination_not_three_coins``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("A[_'<=0]\n")
    moved = log.after(log.turn[1], "coins_moved")
    moved["change"][log.turn[0]["seat"]] += 1
    moved["coins"][log.turn[0]["seat"]] += 1
    return log


def test_assassination_not_three_coins() -> None:
    """An Assassination for 2 coins is found."""
    assert fired(_changed) == {"coup/assassination_not_three_coins"}
