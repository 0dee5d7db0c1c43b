"""The rule ``log/seal_not_the_match_logs``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_seal_not_the_match_logs(tmp_path: Path) -> None:
    """The seal of another match is found."""
    logs = contest()
    logs.played[0]["seal"] = logs.played[1]["seal"]
    assert fired(tmp_path, logs) == {"log/seal_not_the_match_logs"}
