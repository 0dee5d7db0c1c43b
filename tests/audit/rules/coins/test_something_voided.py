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


@doctored
def _disqualified() -> Contest:
    logs = tournament()
    logs.disqualify(1)
    return logs


def test_something_voided() -> None:
    """An attempt that was voided is found, and an entrant that was disqualified."""
    assert fired(_changed) == {"coins/something_voided"}
    assert fired(_disqualified) == {"coins/something_voided"}
