"""The rule ``log/settings_not_the_contests``."""

from __future__ import annotations

from tests.audit.contests import found


def test_settings_not_the_contests() -> None:
    """A contest under other settings than its stages is found, and so is a stage."""
    expected = {"log/settings_not_the_contests"}
    assert found(lambda events: events[0]["settings"].update(time_limit_s=9)) == expected
    stage = found(lambda events: events[0]["settings"].update(time_limit_s=9), stage=2)
    assert stage == expected | {"log/settings_not_the_tournaments"}
