"""The rule ``log/match_not_scheduled``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_match_not_scheduled(tmp_path: Path) -> None:
    """A match log that the tournament does not know is found."""
    logs = contest()
    logs.matches["1-000012"] = logs.matches.pop("1-000000")
    logs.matches["1-000012"][0]["match"] = "1-000012"
    logs.seeds["1-000012"] = logs.seeds["1-000000"]
    assert fired(tmp_path, logs) == {
        "log/match_not_scheduled",
        "log/match_without_log",
        "log/seed_not_the_tournaments",
    }
