"""The rule ``coins/points_do_not_add_up``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.first("acted")["points"][0] += 1
    return log


def test_points_do_not_add_up() -> None:
    """A point too many is found."""
    assert fired(_changed) == {"coins/points_do_not_add_up"}
