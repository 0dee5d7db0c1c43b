"""The rule ``coins/something_voided``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, tournament
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = tournament()
    voided = {"type": "voided", "attempt": 1, "matches": 3, "reason": "disqualified"}
    logs.events.insert(-1, voided)
    return logs


def test_something_voided() -> None:
    """An attempt that was voided is found."""
    assert fired(_changed) == {"coins/something_voided"}
