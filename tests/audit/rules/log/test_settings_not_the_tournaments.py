"""The rule ``log/settings_not_the_tournaments``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.matches["1-000000"][0]["settings"]["time_limit_s"] = 1
    logs.seal("1-000000")
    return logs


def test_settings_not_the_tournaments() -> None:
    """A match under other settings is found."""
    assert fired(_changed) == {"log/settings_not_the_tournaments"}
