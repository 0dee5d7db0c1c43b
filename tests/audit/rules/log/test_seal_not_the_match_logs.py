"""The rule ``log/seal_not_the_match_logs``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.played[0]["seal"] = logs.played[1]["seal"]
    return logs


def test_seal_not_the_match_logs() -> None:
    """The seal of another match is found."""
    assert fired(_changed) == {"log/seal_not_the_match_logs"}
