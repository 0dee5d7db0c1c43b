"""The rule ``bank_heist/failed_cross_unpunished``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="cross_failed", what="salary")
    log.drop(log.event(why="cross_failed", what="salary"))
    return log


def test_failed_cross_unpunished() -> None:
    """A crosser that failed and kept its salary is found."""
    assert fired(_changed) == {"bank_heist/failed_cross_unpunished"}
