"""The rule ``bank_heist/final_table_not_the_sums``."""

from __future__ import annotations

from tests.audit.bank_heists import doctored, fired, series
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = series()
    logs.standings[0]["score"] += 1
    return logs


def test_final_table_not_the_sums() -> None:
    """A sum that is one credit too high is found."""
    assert fired(_changed) == {"bank_heist/final_table_not_the_sums"}
