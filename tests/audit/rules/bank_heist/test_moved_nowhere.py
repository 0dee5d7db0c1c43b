"""The rule ``bank_heist/moved_nowhere``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="paycheck")
    copy = log.double(log.event(why="paycheck"))
    copy["before"] = copy["after"]
    return log


def test_moved_nowhere() -> None:
    """A movement of nothing is found."""
    assert fired(_changed) == {"bank_heist/moved_nowhere", "bank_heist/moved_twice"}
