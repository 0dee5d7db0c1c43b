"""The rule ``coup/forfeit_not_scored``."""

from __future__ import annotations

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired


@doctored
def _changed() -> Doctored:
    log = failing(Fault("crash"))
    result = log.first("match_finished")
    result["scores"].reverse()
    result["winners"] = [1 - result["winners"][0]]
    return log


def test_forfeit_not_scored() -> None:
    """A victory given to the bot that failed is found."""
    assert fired(_changed) == {"coup/forfeit_not_scored"}
