"""The rule ``bank_heist/recorded_winners_without_the_most``."""

from __future__ import annotations

from tests.audit.bank_heists import doctored, fired, series
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = series()
    logs.played[0]["winners"] = [0, 1, 2]
    return logs


def test_recorded_winners_without_the_most() -> None:
    """A match with all players recorded as winners is a finding."""
    assert fired(_changed) == {
        "bank_heist/recorded_winners_without_the_most",
        "log/result_not_the_match_logs",
    }
