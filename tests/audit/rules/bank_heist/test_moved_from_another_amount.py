"""The rule ``bank_heist/moved_from_another_amount``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(lambda game: game[0]["number"] > 0, why="paycheck")
    log.event(why="paycheck")["before"] += 1
    return log


@doctored
def _winnings() -> Heist:
    log = heist(why="heist")
    log.event(why="heist")["before"] += 1
    return log


def test_moved_from_another_amount() -> None:
    """Credits that were others before a salary are found, and winnings before the heist."""
    assert fired(_changed) == {"bank_heist/moved_from_another_amount"}
    assert fired(_winnings) == {"bank_heist/moved_from_another_amount"}
