"""The rule ``coup/foreign_aid_not_two_coins``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Fp\n")
    moved = log.after(log.turn[-1], "coins_moved")
    moved["change"][log.turn[0]["seat"]] += 1
    moved["coins"][log.turn[0]["seat"]] += 1
    return log


def test_foreign_aid_not_two_coins() -> None:
    """A Foreign Aid of 3 coins is found."""
    assert fired(_changed) == {"coup/foreign_aid_not_two_coins"}
