"""The rule ``bank_heist/settled_out_of_order``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="heist")
    log.lower(log.above(log.event(why="heist")))
    return log


def test_settled_out_of_order() -> None:
    """Winnings that come before the bet are a finding."""
    assert fired(_changed) == {"bank_heist/settled_out_of_order"}
