"""The rule ``bank_heist/bribe_not_paid``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="bribe")
    log.drop(log.event(why="bribe"))
    return log


def test_bribe_not_paid() -> None:
    """A bribe that was not paid is found."""
    assert fired(_changed) == {
        "bank_heist/bribe_not_paid",
        "bank_heist/credits_at_the_end_misrecorded",
    }
