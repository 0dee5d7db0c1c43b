"""The rule ``bank_heist/series_not_as_set``."""

from __future__ import annotations

from tests.audit.bank_heists import doctored, fired, series
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = series()
    logs.events[1], logs.events[2] = logs.events[2], logs.events[1]
    return logs


def test_series_not_as_set() -> None:
    """Two matches in the wrong order are found."""
    assert fired(_changed) == {"bank_heist/series_not_as_set"}
