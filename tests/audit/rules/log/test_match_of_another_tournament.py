"""The rule ``log/match_of_another_tournament``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.matches["1-000000"][0]["tournament"] = "autumn"
    logs.seal("1-000000")
    return logs


def test_match_of_another_tournament() -> None:
    """A match under the id of another tournament is found."""
    assert fired(_changed) == {"log/match_of_another_tournament"}
