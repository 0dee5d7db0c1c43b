"""The rule ``coup/income_not_one_coin``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    moved = log.after(log.turn[0], "coins_moved")
    moved["change"][log.turn[0]["seat"]] += 1
    moved["coins"][log.turn[0]["seat"]] += 1
    return log


def test_income_not_one_coin() -> None:
    """An Income of 2 coins is found."""
    assert fired(_changed) == {"coup/income_not_one_coin"}
