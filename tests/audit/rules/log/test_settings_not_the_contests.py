"""The rule ``log/settings_not_the_contests``."""

from __future__ import annotations

from tests.audit.contests import doctored, doctored_stage, fired
from tests.contests import Events

RULE = "log/settings_not_the_contests"


def _change(events: Events) -> None:
    events[0]["settings"]["time_limit_s"] = 9


_CONTEST = doctored(_change)
_STAGE = doctored_stage(2, _change)


def test_settings_not_the_contests() -> None:
    """A contest under other settings than its stages is found, and so is a stage."""
    assert fired(_CONTEST) == {RULE}
    assert fired(_STAGE) == {RULE, "log/settings_not_the_tournaments"}
