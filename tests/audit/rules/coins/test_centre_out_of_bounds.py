"""The rule ``coins/centre_out_of_bounds``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    for event in log.events:
        if "centre" in event:
            event["centre"] += 4
    return log


def test_centre_out_of_bounds() -> None:
    """A centre that no dice can give is found."""
    assert fired(_changed) == {"coins/centre_not_from_the_dice", "coins/centre_out_of_bounds"}
