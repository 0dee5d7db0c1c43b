"""The rule ``bank_heist/winnings_not_from_the_odds``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="heist")
    log.event(why="heist")["after"] += 1
    return log


def test_winnings_not_from_the_odds() -> None:
    """Winnings that are one credit too high are found."""
    assert fired(_changed) == {
        "bank_heist/share_without_cross_not_paid",
        "bank_heist/sums_not_of_the_crew",
        "bank_heist/winnings_not_from_the_odds",
    }
