"""The rule ``smallest_unique/rounds_not_as_many_as_set``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, fired, played


@doctored
def _changed() -> Doctored:
    log = played()
    log.events[0]["settings"]["rounds"] += 1
    return log


@doctored
def _more() -> Doctored:
    log = played()
    log.events[0]["settings"]["rounds"] -= 1
    return log


@doctored
def _none() -> Doctored:
    log = played()
    del log.events[1:-1]
    log.events[-1].update(scores=[0] * 4, winners=[0, 1, 2, 3])
    return log


def test_rounds_not_as_many_as_set() -> None:
    """A round less than set is found, a round more, and a game without rounds."""
    assert fired(_changed) == {"smallest_unique/rounds_not_as_many_as_set"}
    assert fired(_more) == {"smallest_unique/rounds_not_as_many_as_set"}
    assert fired(_none) == {"smallest_unique/rounds_not_as_many_as_set"}
