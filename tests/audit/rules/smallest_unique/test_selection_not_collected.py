"""The rule ``smallest_unique/selection_not_collected``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("select")
    log.drop(log.first("answered"))
    return log


def test_selection_not_collected() -> None:
    """A choice of the last round that is not on record is found."""
    assert fired(_changed) == {"smallest_unique/selection_not_collected"}
