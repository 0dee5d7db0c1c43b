"""The rule ``coins/centre_does_not_add_up``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.first("acted")["centre"] += 1
    return log


def test_centre_does_not_add_up() -> None:
    """A coin too many in the centre is found."""
    assert fired(_changed) == {"coins/centre_does_not_add_up"}
