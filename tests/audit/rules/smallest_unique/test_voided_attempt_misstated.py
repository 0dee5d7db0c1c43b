"""The rule ``smallest_unique/voided_attempt_misstated``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    next(e for e in logs.events if e["type"] == "voided")["matches"] += 1
    return logs


def test_voided_attempt_misstated() -> None:
    """A wrong number of void games is found."""
    assert fired(_changed) == {"smallest_unique/voided_attempt_misstated"}
