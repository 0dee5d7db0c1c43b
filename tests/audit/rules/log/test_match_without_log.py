"""The rule ``log/match_without_log``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_match_without_log(tmp_path: Path) -> None:
    """A match whose log is gone is found."""
    logs = contest()
    del logs.matches["1-000003"]
    assert fired(tmp_path, logs) == {"log/match_without_log"}
