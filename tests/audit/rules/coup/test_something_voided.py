"""The rule ``coup/something_voided``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_something_voided(tmp_path: Path) -> None:
    """An entrant that was disqualified is found."""
    logs = contest()
    gone = {"type": "disqualified", "entrant": 1, "match": "1-000000", "kind": "crash"}
    logs.events.insert(-1, gone)
    assert fired(tmp_path, logs) == {"coup/something_voided"}
