"""The rule ``bank_heist/crossers_not_robbed``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="cross_judged", succeeded=0)
    log.event(type="shared_out")["crosser_share"] += 1
    return log


def test_crossers_not_robbed() -> None:
    """A share for crossers that failed is found."""
    assert fired(_changed) == {"bank_heist/crossers_not_robbed"}
