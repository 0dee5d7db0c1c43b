"""The rule ``coins/centre_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    for event in log.events:
        if "centre" in event:
            event["centre"] -= 1
    return log


def test_centre_not_from_the_dice() -> None:
    """A centre of one coin less than the dice give, but possible, is found."""
    assert fired(_changed) == {"coins/centre_not_from_the_dice"}
