"""The rule ``smallest_unique/rounds_not_as_many_as_set``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, fired, played


@doctored
def _changed() -> Doctored:
    log = played()
    log.events[0]["settings"]["rounds"] += 1
    return log


def test_rounds_not_as_many_as_set() -> None:
    """A round less than set is found."""
    assert fired(_changed) == {"smallest_unique/rounds_not_as_many_as_set"}
