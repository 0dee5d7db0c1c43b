"""The rule ``log/match_not_scheduled``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.matches["1-000012"] = logs.matches.pop("1-000000")
    logs.matches["1-000012"][0]["match"] = "1-000012"
    logs.seeds["1-000012"] = logs.seeds["1-000000"]
    return logs


def test_match_not_scheduled() -> None:
    """A match log that the tournament does not know is found."""
    assert fired(_changed) == {
        "log/match_not_scheduled",
        "log/match_without_log",
        "log/seed_not_the_tournaments",
    }
