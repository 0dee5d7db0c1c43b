"""The rule ``coup/schedule_not_kept``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.events[1], logs.events[2] = logs.events[2], logs.events[1]
    return logs


def test_schedule_not_kept() -> None:
    """Two matches in the wrong order are found."""
    assert fired(_changed) == {"coup/schedule_not_kept"}
