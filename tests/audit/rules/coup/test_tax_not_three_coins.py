"""The rule ``coup/tax_not_three_coins``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Tp\n")
    moved = log.after(log.turn[-1], "coins_moved")
    before = log.coins(log.turn[-1])
    moved["change"].reverse()
    moved["coins"] = [before[0] + moved["change"][0], before[1] + moved["change"][1]]
    return log


def test_tax_not_three_coins() -> None:
    """A Tax that the opponent was given is found."""
    assert fired(_changed) == {"coup/tax_not_three_coins"}
