"""The rule ``coup/something_voided``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.disqualify(1)
    return logs


@doctored
def _voided() -> Contest:
    logs = contest()
    voided = {"type": "voided", "attempt": 1, "matches": 12, "reason": "disqualified"}
    logs.events.insert(-1, voided)
    return logs


def test_something_voided() -> None:
    """An entrant that was disqualified is found, and an attempt that was voided."""
    assert fired(_changed) == {"coup/something_voided"}
    assert fired(_voided) == {"coup/something_voided"}
