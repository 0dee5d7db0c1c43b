"""The rule ``coins/schedule_not_kept``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, tournament
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = tournament()
    logs.events[1], logs.events[2] = logs.events[2], logs.events[1]
    return logs


def test_schedule_not_kept() -> None:
    """Two games in the wrong order are found."""
    assert fired(_changed) == {"coins/schedule_not_kept"}
