"""The rule ``bank_heist/moved_from_another_amount``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(lambda game: game[0]["number"] > 0, why="paycheck")
    log.event(why="paycheck")["before"] += 1
    return log


def test_moved_from_another_amount() -> None:
    """A salary that was another before is found."""
    assert fired(_changed) == {"bank_heist/moved_from_another_amount"}
