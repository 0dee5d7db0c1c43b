"""The rule ``log/match_in_two_logs``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.matches["1-000000-again"] = logs.matches["1-000000"]
    logs.seeds["1-000000-again"] = logs.seeds["1-000000"]
    return logs


def test_match_in_two_logs() -> None:
    """A match that is there twice is found."""
    assert fired(_changed) == {"log/match_in_two_logs"}
