"""The rule ``bank_heist/sums_not_of_the_crew``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist, uncrossed


@doctored
def _changed() -> Heist:
    log = heist(uncrossed, type="shared_out", pot=0)
    log.event(type="shared_out")["crossers_sum"] += 1
    return log


def test_sums_not_of_the_crew() -> None:
    """Winnings of crossers where there are none are found."""
    assert fired(_changed) == {"bank_heist/sums_not_of_the_crew"}
