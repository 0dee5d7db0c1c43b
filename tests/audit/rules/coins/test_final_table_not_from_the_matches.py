"""The rule ``coins/final_table_not_from_the_matches``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, tournament
from tests.audit.contest import Contest


@doctored
def _changed() -> Contest:
    logs = tournament()
    logs.standings[2]["score"] += 1
    return logs


def test_final_table_not_from_the_matches() -> None:
    """A sum that is too high is found."""
    assert fired(_changed) == {"coins/final_table_not_from_the_matches"}
