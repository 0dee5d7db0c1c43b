"""The rule ``bank_heist/start_with_another_amount``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(number=0, why="paycheck")
    first = log.event(what="credits")
    first["before"] += 1
    return log


def test_start_with_another_amount() -> None:
    """A player that starts with 241 credits is found."""
    assert fired(_changed) == {"bank_heist/start_with_another_amount"}
