"""The rule ``bank_heist/straights_not_robbed``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="cross_judged", succeeded=1)
    log.event(type="shared_out")["crosser_share"] += 1
    return log


def test_straights_not_robbed() -> None:
    """A share of the crossers that is one too high is found."""
    assert fired(_changed) == {
        "bank_heist/share_of_a_cross_not_paid",
        "bank_heist/straights_not_robbed",
    }
