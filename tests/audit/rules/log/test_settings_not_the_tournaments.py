"""The rule ``log/settings_not_the_tournaments``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_settings_not_the_tournaments(tmp_path: Path) -> None:
    """A match under other settings is found."""
    logs = contest()
    logs.matches["1-000000"][0]["settings"]["time_limit_s"] = 1
    logs.seal("1-000000")
    assert fired(tmp_path, logs) == {"log/settings_not_the_tournaments"}
