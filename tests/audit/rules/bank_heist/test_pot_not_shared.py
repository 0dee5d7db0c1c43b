"""The rule ``bank_heist/pot_not_shared``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist, uncrossed


@doctored
def _changed() -> Heist:
    log = heist(uncrossed, type="shared_out", pot=0)
    log.event(type="shared_out")["crosser_share"] += 1
    return log


def test_pot_not_shared() -> None:
    """A share for crossers where there are none is found."""
    assert fired(_changed) == {"bank_heist/pot_not_shared"}
