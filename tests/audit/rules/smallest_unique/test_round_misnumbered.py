"""The rule ``smallest_unique/round_misnumbered``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired, played


@doctored
def _changed() -> Doctored:
    log = played()
    log.events[2]["round"] = 1
    return log


@doctored
def _from_two() -> Doctored:
    log = failed("update")
    [first] = [event for event in log.events if event["type"] == "round"]
    first["round"] = 2
    log.events[1:3] = log.events[2:0:-1]
    return log


def test_round_misnumbered() -> None:
    """Two rounds of the same number are found, and a first round below a fault, as the second."""
    assert fired(_changed) == {"smallest_unique/round_misnumbered"}
    assert fired(_from_two) == {"smallest_unique/round_misnumbered"}
