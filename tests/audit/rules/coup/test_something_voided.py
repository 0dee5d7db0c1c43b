"""The rule ``coup/something_voided``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    gone = {"type": "disqualified", "entrant": 1, "match": "1-000000", "kind": "crash"}
    logs.events.insert(-1, gone)
    return logs


def test_something_voided() -> None:
    """An entrant that was disqualified is found."""
    assert fired(_changed) == {"coup/something_voided"}
