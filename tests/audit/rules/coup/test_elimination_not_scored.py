"""The rule ``coup/elimination_not_scored``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, ending, fired


@doctored
def _changed() -> Doctored:
    log = ending("C[_'<=0]")
    result = log.first("match_finished")
    result["scores"].reverse()
    result["winners"] = [1 - result["winners"][0]]
    return log


def test_elimination_not_scored() -> None:
    """A victory given to the player without cards is found."""
    assert fired(_changed) == {"coup/elimination_not_scored"}
