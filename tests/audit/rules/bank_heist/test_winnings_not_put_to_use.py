"""The rule ``bank_heist/winnings_not_put_to_use``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="deposit", what="winnings")
    log.drop(log.event(why="deposit", what="winnings"))
    return log


def test_winnings_not_put_to_use() -> None:
    """Winnings that were deposited and kept are found."""
    assert fired(_changed) == {
        "bank_heist/share_without_cross_not_paid",
        "bank_heist/sums_not_of_the_crew",
        "bank_heist/winnings_not_put_to_use",
    }
