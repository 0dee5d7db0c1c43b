"""The rule ``bank_heist/amount_out_of_bounds``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="intel", what="odds")
    log.event(why="intel", what="odds")["after"] = 10**12 + 1
    return log


def test_amount_out_of_bounds() -> None:
    """Odds of more than a thousand to one are found."""
    assert fired(_changed) == {"bank_heist/amount_out_of_bounds", "bank_heist/intel_without_effect"}
