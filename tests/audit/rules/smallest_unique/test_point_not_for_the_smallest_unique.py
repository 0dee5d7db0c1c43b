"""The rule ``smallest_unique/point_not_for_the_smallest_unique``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, fired, played


@doctored
def _changed() -> Doctored:
    log = played()
    first = log.first("round")
    first["winner"] = (first["winner"] + 1) % 4
    return log


def test_point_not_for_the_smallest_unique() -> None:
    """A point for another seat is found."""
    assert fired(_changed) == {"smallest_unique/point_not_for_the_smallest_unique"}
