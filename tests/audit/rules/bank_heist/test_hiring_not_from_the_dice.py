"""The rule ``bank_heist/hiring_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="hired", what="salary")
    log.drop(log.event(why="hired", what="salary"))
    return log


def test_hiring_not_from_the_dice() -> None:
    """A new job without a raise is found."""
    assert fired(_changed) == {"bank_heist/hiring_not_from_the_dice", "bank_heist/paycheck_not_due"}
