"""The rule ``smallest_unique/round_misnumbered``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, fired, played


@doctored
def _changed() -> Doctored:
    log = played()
    log.events[2]["round"] = 1
    return log


def test_round_misnumbered() -> None:
    """Two rounds of the same number are found."""
    assert fired(_changed) == {"smallest_unique/round_misnumbered"}
