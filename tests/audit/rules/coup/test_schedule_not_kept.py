"""The rule ``coup/schedule_not_kept``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_schedule_not_kept(tmp_path: Path) -> None:
    """Two matches in the wrong order are found."""
    logs = contest()
    logs.events[1], logs.events[2] = logs.events[2], logs.events[1]
    assert fired(tmp_path, logs) == {"coup/schedule_not_kept"}
