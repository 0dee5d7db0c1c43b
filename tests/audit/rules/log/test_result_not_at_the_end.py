"""The rule ``log/result_not_at_the_end``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_result_not_at_the_end(tmp_path: Path) -> None:
    """A second result is found."""
    logs = contest()
    events = logs.matches["1-000000"]
    events.append(events[-1])
    logs.seal("1-000000")
    assert fired(tmp_path, logs) == {"log/result_not_at_the_end"}
