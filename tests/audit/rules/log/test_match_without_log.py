"""The rule ``log/match_without_log``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    del logs.matches["1-000003"]
    return logs


def test_match_without_log() -> None:
    """A match whose log is missing is a finding."""
    assert fired(_changed) == {"log/match_without_log"}
