"""The rule ``smallest_unique/choice_missing``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, fired, played


@doctored
def _changed() -> Doctored:
    log = played()
    log.first("round")["choices"].append(10)
    return log


def test_choice_missing() -> None:
    """A round in which a seat did not choose is found."""
    assert fired(_changed) == {"smallest_unique/choice_missing"}
