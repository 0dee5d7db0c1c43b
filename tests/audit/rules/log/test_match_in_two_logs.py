"""The rule ``log/match_in_two_logs``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_match_in_two_logs(tmp_path: Path) -> None:
    """A match that is there twice is found."""
    logs = contest()
    logs.matches["1-000000-again"] = logs.matches["1-000000"]
    logs.seeds["1-000000-again"] = logs.seeds["1-000000"]
    assert fired(tmp_path, logs) == {"log/match_in_two_logs"}
